import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { isMissingFile } from '../../../lib/files.js'
import type { WikiDeps } from './head-of-wiki.js'
import { projectsWithWiki } from './store.js'

/** Deletes repositories of wikis whose project was deleted while they were created. */
export async function deleteOrphanedWikis({ database, wikiRepositories }: WikiDeps): Promise<void> {
  // A repository is created after its row, so that what is found first has one.
  for (const shard of await namesIn(wikiRepositories.root)) {
    const ids = (await namesIn(join(wikiRepositories.root, shard)))
      .map((name) => Number(/^(\d+)\.git$/.exec(name)?.[1] ?? 0))
      .filter((id) => id > 0)
    const existing = await projectsWithWiki(database, ids)
    for (const id of ids) if (!existing.has(id)) await wikiRepositories.delete(id)
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isMissingFile(error)) return []
    throw error
  }
}
