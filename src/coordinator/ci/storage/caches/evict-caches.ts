import { sql } from 'kysely'

import type { Database } from '../../../database/connect.js'
import { preparedRead } from '../../../database/prepared-read.js'
import type { Placeholder } from '../../../database/prepared-statement.js'
import type { BlobStore } from '../blob-store.js'

interface Candidate {
  id: number
  size: number
  blob_key: string
}

/** Rows per batch, to limit transactions and memory. */
const BATCH = 500

/**
 * Evicts the least recently used archives of a project until the rest fits; keeps the archive that was just
 * saved.
 */
export async function evictCaches(
  database: Database,
  blobs: BlobStore,
  { row, projectMaxBytes }: { row: { id: number; project_id: number }; projectMaxBytes: number },
): Promise<void> {
  const [all] = await sizeOfProject(database, { projectId: row.project_id })
  // A project may have thousands of them.
  if ((all?.bytes ?? 0) <= projectMaxBytes) return
  const archives = await database
    .selectFrom('cache_archive')
    .select(['id', 'size', 'blob_key'])
    .where('project_id', '=', row.project_id)
    .orderBy('used_at')
    .orderBy('id')
    .execute()
  for (const archive of superfluous(archives, row.id, projectMaxBytes)) {
    await remove(database, blobs, archive)
  }
}

const sizeOfProject = preparedRead((database, { projectId }: { projectId: Placeholder<number> }) =>
  database
    .selectFrom('cache_archive')
    .select(sql<number>`cast(coalesce(sum(size), 0) as bigint)`.as('bytes'))
    .where('project_id', '=', projectId),
)

/** The first of `archives` whose deletion makes the rest fit; never `keepId`. */
export function superfluous<T extends Pick<Candidate, 'id' | 'size'>>(
  archives: readonly T[],
  keepId: number,
  maxBytes: number,
): T[] {
  let excess = archives.reduce((sum, { size }) => sum + size, 0) - maxBytes
  return archives.filter(({ id, size }) => {
    if (excess <= 0 || id === keepId) return false
    excess -= size
    return true
  })
}

/** Periodic task: deletes caches that were not used since `unusedSince`. Returns their number. */
export async function evictUnusedCaches(
  database: Database,
  blobs: BlobStore,
  unusedSince: number,
): Promise<number> {
  let removed = 0
  for (;;) {
    const unused = await database
      .selectFrom('cache_archive')
      .select(['id', 'size', 'blob_key'])
      .where('used_at', '<', unusedSince)
      .orderBy('used_at')
      .limit(BATCH)
      .execute()
    for (const archive of unused) {
      if (await remove(database, blobs, archive, unusedSince)) removed++
    }
    if (unused.length < BATCH) return removed
  }
}

/** False if it was replaced or used again in the meantime. */
async function remove(
  database: Database,
  blobs: BlobStore,
  { id, blob_key }: Candidate,
  unusedSince = Infinity,
): Promise<boolean> {
  const deletion = database.deleteFrom('cache_archive').where('id', '=', id).where('blob_key', '=', blob_key)
  const { numDeletedRows } = await (
    unusedSince === Infinity ? deletion : deletion.where('used_at', '<', unusedSince)
  ).executeTakeFirst()
  if (numDeletedRows === 0n) return false
  await blobs.delete(blob_key)
  return true
}
