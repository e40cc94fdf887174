import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { isMissingFile } from '../../../lib/files.js'
import type { SnippetDeps } from './snippets.js'
import { deleteUnreadySnippets, existingSnippets } from './store.js'

/** Longer than it takes to create a snippet, in milliseconds. */
const ABANDONED_AFTER = 3600 * 1000

/**
 * Deletes snippets whose creation was interrupted, and repositories without a snippet: their project, their author or an
 * interrupted deletion has left them.
 */
export async function deleteOrphanedSnippets(
  { database, snippetRepositories }: Pick<SnippetDeps, 'database' | 'snippetRepositories'>,
  now = Date.now(),
): Promise<void> {
  // A repository is created after its snippet, so that what is found first has one.
  for (const shard of await namesIn(snippetRepositories.root)) {
    const ids = (await namesIn(join(snippetRepositories.root, shard)))
      .map((name) => Number(/^(\d+)\.git$/.exec(name)?.[1] ?? 0))
      .filter((id) => id > 0)
    const existing = await existingSnippets(database, ids)
    for (const id of ids) if (!existing.has(id)) await snippetRepositories.delete(id)
  }
  await deleteUnreadySnippets(database, now - ABANDONED_AFTER)
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isMissingFile(error)) return []
    throw error
  }
}
