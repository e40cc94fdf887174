import { isRepository } from '../is-repository.js'
import type { Repositories } from '../repositories.js'
import { GitRefusedError } from './git-refused-error.js'

/** Folder of the repository of a project; throws `GitRefusedError` 404 if it does not exist. */
export async function existingRepository(repositories: Repositories, projectId: number): Promise<string> {
  const path = repositories.path(projectId)
  if (!(await isRepository(path))) {
    throw new GitRefusedError(404, 'A repository for this project does not exist yet.')
  }
  return path
}
