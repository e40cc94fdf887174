import { access } from 'node:fs/promises'
import { join } from 'node:path'

import type { Repositories } from '../repositories.js'
import { GitRefusedError } from './git-refused-error.js'

/** The folder of a project's repository; throws a `GitRefusedError` 404 while there is none. */
export async function existingRepository(repositories: Repositories, projectId: number): Promise<string> {
  const path = repositories.path(projectId)
  try {
    await access(join(path, 'HEAD'))
    return path
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new GitRefusedError(404, 'A repository for this project does not exist yet.')
  }
}
