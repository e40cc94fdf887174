import { HOUR } from '../../../lib/time-units.js'
import { deleteOrphanedRepositories } from '../repositories/delete-orphans.js'
import type { SnippetDeps } from './snippets.js'
import { deleteUnreadySnippets, existingSnippets } from './store.js'

/** Longer than it takes to create a snippet, in milliseconds. */
const ABANDONED_AFTER = HOUR

/**
 * Deletes snippets whose creation was interrupted, and repositories without a snippet: their project, their author or an
 * interrupted deletion has left them.
 */
export async function deleteOrphanedSnippets(
  { database, snippetRepositories }: Pick<SnippetDeps, 'database' | 'snippetRepositories'>,
  now = Date.now(),
): Promise<void> {
  await deleteOrphanedRepositories(snippetRepositories, (ids) => existingSnippets(database, ids))
  await deleteUnreadySnippets(database, now - ABANDONED_AFTER)
}
