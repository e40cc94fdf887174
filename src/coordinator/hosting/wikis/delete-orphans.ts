import { deleteOrphanedRepositories } from '../repositories/delete-orphans.js'
import type { WikiDeps } from './head-of-wiki.js'
import { projectsWithWiki } from './store.js'

/** Deletes repositories of wikis whose project was deleted while they were created. */
export function deleteOrphanedWikis({ database, wikiRepositories }: WikiDeps): Promise<void> {
  return deleteOrphanedRepositories(wikiRepositories, (ids) => projectsWithWiki(database, ids))
}
