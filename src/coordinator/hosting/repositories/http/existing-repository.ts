import { isRepository } from '../is-repository.js'
import type { Repositories } from '../repositories.js'
import { gitError } from './git-refused-error.js'

/** Folder of the repository of a project; throws `GitRefusedError` 404 if it does not exist. */
export async function existingRepository(repositories: Repositories, projectId: number): Promise<string> {
  const path = repositories.path(projectId)
  if (!(await isRepository(path))) {
    throw gitError('git_repository_missing')
  }
  return path
}
