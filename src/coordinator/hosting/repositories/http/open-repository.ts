import type { GitCaller } from '../../../http/authentication/git-credentials.js'
import type { Repositories } from '../repositories.js'
import { admitCaller, type Admitted, type GitAccess } from './git-access.js'
import type { GitService } from './git-path.js'
import type { FindOtherRepository, OtherRepository } from './other-repository.js'

/** The repository of a request, with the one decision about access that all later steps rely on. */
export type OpenedRepository =
  | {
      kind: 'project'
      repositories: Repositories
      id: number
      /** The path of the project, if it was found under a former one. */
      movedTo?: string | undefined
      admitted: Admitted
    }
  | ({ kind: 'other' } & OtherRepository)

export interface OpenDeps {
  access: GitAccess
  repositories: Repositories
  /** Finds repositories beside those of projects. */
  otherRepository?: FindOtherRepository
}

/**
 * Finds the repository of a path and decides whether the caller may use the service. `authenticated` is called once.
 * Throws `GitRefusedError`.
 */
export async function openRepository(
  { access, repositories, otherRepository }: OpenDeps,
  service: GitService,
  authenticated: () => Promise<GitCaller>,
  fullPath: string,
): Promise<OpenedRepository> {
  const other = await otherRepository?.(service, authenticated, fullPath)
  if (other) return { kind: 'other', ...other }
  const admitted = await admitCaller(access, service, await authenticated(), fullPath)
  const { project, movedTo } = admitted
  return { kind: 'project', repositories, id: project.id, movedTo, admitted }
}
