import type { Repositories } from '../repositories.js'
import type { ShownCredentials } from './git-access.js'
import type { GitService } from './git-path.js'

/** A repository that is not that of a project, to which the caller has access. */
export interface OtherRepository {
  repositories: Repositories
  id: number
  /** Called when git has ended, also if it moved nothing. */
  onPushed: () => Promise<void>
}

/**
 * Finds such a repository; undefined for a path that is none. Throws `GitRefusedError` unless the caller may use the
 * service.
 */
export type FindOtherRepository = (
  service: GitService,
  shown: ShownCredentials,
  fullPath: string,
) => Promise<OtherRepository | undefined>
