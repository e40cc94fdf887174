import type { Database } from '../../database/connect.js'
import { deleteOrphanedRepositories } from '../repositories/delete-orphans.js'
import type { Repositories } from '../repositories/repositories.js'
import { groupsWithWiki } from './group-wiki-store.js'
import { projectsWithWiki } from './store.js'
import type { WikiDeps } from './wiki-deps.js'

/** Deletes repositories of wikis whose project was deleted while they were created. */
export function deleteOrphanedWikis({ database, wikiRepositories }: WikiDeps): Promise<void> {
  return deleteOrphanedRepositories(wikiRepositories, (ids) => projectsWithWiki(database, ids))
}

/** Deletes repositories of wikis whose group was deleted while they were created. */
export function deleteOrphanedGroupWikis({
  database,
  groupWikiRepositories,
}: {
  database: Database
  groupWikiRepositories: Repositories
}): Promise<void> {
  return deleteOrphanedRepositories(groupWikiRepositories, (ids) => groupsWithWiki(database, ids))
}
