import type { GitSettings } from '../../../../git/environment.js'
import type { GitCaller } from '../../../http/authentication/git-credentials.js'
import type { Repositories } from '../repositories.js'
import type { GitService } from './git-path.js'

/** A repository that is not that of a project, to which the caller has access. */
export interface OtherRepository {
  repositories: Repositories
  id: number
  /** Its path, if it was found under a former one. */
  movedTo?: string
  /** Called when git has ended, also if it moved nothing. */
  onPushed: () => Promise<void>
}

/**
 * Finds such a repository; undefined for a path that is none. `authenticated` is called at most once, and only for a path
 * that may be one. Throws `GitRefusedError` unless the caller may use the service.
 */
export type FindOtherRepository = (
  service: GitService,
  authenticated: () => Promise<GitCaller>,
  fullPath: string,
) => Promise<OtherRepository | undefined>

/** Only `main` of such a repository is pushed, without rules, pipelines and events of pushes. */
export const OTHER_SETTINGS: GitSettings = {
  'receive.hideRefs': ['refs', '!refs/heads/main'],
  'receive.denyDeletes': 'true',
  'receive.maxInputSize': '50m',
}

/** Asks one after the other. */
export function firstOf(finders: readonly FindOtherRepository[]): FindOtherRepository {
  return async (...wanted) => {
    for (const find of finders) {
      const found = await find(...wanted)
      if (found) return found
    }
    return undefined
  }
}
