import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { isMissingFile } from '../../../lib/files.js'
import type { Repositories } from './repositories.js'

/**
 * Deletes the repositories whose IDs are not in the database. `existing` returns those of the IDs that are; it is called
 * after the repositories were found, so a repository must be created after its row.
 */
export async function deleteOrphanedRepositories(
  repositories: Repositories,
  existing: (ids: number[]) => Promise<Set<number>>,
): Promise<void> {
  for (const shard of await namesIn(repositories.root)) {
    const ids = (await namesIn(join(repositories.root, shard)))
      .map((name) => Number(/^(\d+)\.git$/.exec(name)?.[1] ?? 0))
      .filter((id) => id > 0)
    const known = await existing(ids)
    for (const id of ids) if (!known.has(id)) await repositories.delete(id)
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
