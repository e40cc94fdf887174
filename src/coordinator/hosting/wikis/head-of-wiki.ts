import { headOfMain } from '../repositories/change/commit-to-main.js'
import { isRepository } from '../repositories/is-repository.js'
import type { Repositories } from '../repositories/repositories.js'

/** Head of the wiki; undefined if it has no commit. */
export async function headOfWiki(
  wikiRepositories: Repositories,
  ownerId: number,
): Promise<string | undefined> {
  const isThere = await isRepository(wikiRepositories.path(ownerId))
  return isThere ? headOfMain(wikiRepositories, ownerId) : undefined
}
