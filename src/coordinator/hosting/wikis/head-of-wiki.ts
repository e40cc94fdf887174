import type { Database } from '../../database/connect.js'
import { headOfMain } from '../repositories/change/commit-to-main.js'
import { isRepository } from '../repositories/is-repository.js'
import type { Repositories } from '../repositories/repositories.js'

export interface WikiDeps {
  database: Database
  /** Repositories of wikis, by the IDs of their projects. */
  wikiRepositories: Repositories
}

/** Head of the wiki; undefined if it has no commit. */
export async function headOfWiki(
  wikiRepositories: Repositories,
  projectId: number,
): Promise<string | undefined> {
  const isThere = await isRepository(wikiRepositories.path(projectId))
  return isThere ? headOfMain(wikiRepositories, projectId) : undefined
}
