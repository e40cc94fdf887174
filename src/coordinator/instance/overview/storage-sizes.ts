import { sql } from 'kysely'

import { HOUR } from '../../../lib/time-units.js'
import type { Database } from '../../database/connect.js'
import { findSetting, raiseSetting, setSetting } from '../../database/stores/instance-setting-store.js'

/** Bytes that are stored, by kind. */
export interface StorageSizes {
  /** Milliseconds since 1970. */
  measuredAt: number
  logs: number
  artifacts: number
  caches: number
  repositories: number
  lfs: number
}

/** Names in `instance_setting`. */
const SIZES = 'storage_sizes'
const MEASURED = 'storage_sizes_measured'
/** In milliseconds. */
const INTERVAL = 6 * HOUR
/** Rows that are read at once, so that the store serves others in between. */
const BATCH = 5000

/**
 * Periodic task: adds up the sizes that the store knows. One of several coordinators does so, every six hours, and at each
 * run while nothing is stored, so that a new installation does not show zeros for hours. Sizes of repositories are those of
 * their statistics.
 */
export async function measureStorage(
  database: Database,
  signal: AbortSignal,
  now = Date.now(),
): Promise<void> {
  const turn = Math.floor(now / INTERVAL)
  if (!(await raiseSetting(database, MEASURED, turn))) return
  try {
    const sizes = await addUp(database, signal)
    if (Object.values(sizes).every((bytes) => bytes === 0))
      await setSetting(database, MEASURED, String(turn - 1))
    else
      await setSetting(database, SIZES, JSON.stringify({ measuredAt: now, ...sizes } satisfies StorageSizes))
  } catch (error) {
    // Makes the next run try again.
    await setSetting(database, MEASURED, String(turn - 1))
    throw error
  }
}

async function addUp(database: Database, signal: AbortSignal): Promise<Omit<StorageSizes, 'measuredAt'>> {
  const sum = (table: string, id: string, size: string): Promise<number> =>
    sumOf(database, { table, id, size }, signal)
  return {
    logs: await sum('job', 'id', 'trace_bytes'),
    // Those that have expired have no blob.
    artifacts: await sum('job_artifact', 'id', `case when blob_key = '' then 0 else size end`),
    caches: await sum('cache_archive', 'id', 'size'),
    repositories: await sum('project_measure', 'project_id', 'repository_size'),
    lfs: await sum('lfs_object', 'id', 'size'),
  }
}

interface Sum {
  table: string
  /** Its unique number. */
  id: string
  /** An expression. */
  size: string
}

/** Throws the reason of `signal` when it aborts. */
async function sumOf(database: Database, { table, id, size }: Sum, signal: AbortSignal): Promise<number> {
  let bytes = 0
  for (let after = 0; ;) {
    signal.throwIfAborted()
    const { rows } = await sql<{ rows: number; last: number | null; bytes: number | null }>`
      select count(*) as rows, max(id) as last, cast(sum(bytes) as bigint) as bytes from (
        select ${sql.ref(id)} as id, ${sql.raw(size)} as bytes from ${sql.table(table)}
        where ${sql.ref(id)} > ${after} order by ${sql.ref(id)} limit ${BATCH}) part`.execute(database)
    const [part] = rows
    bytes += part?.bytes ?? 0
    if (!part || part.last === null || part.rows < BATCH) return bytes
    after = part.last
  }
}

/** The last sizes; undefined before they were measured once. */
export async function storageSizes(database: Database): Promise<StorageSizes | undefined> {
  const stored = await findSetting(database, SIZES)
  return stored === undefined ? undefined : (JSON.parse(stored) as StorageSizes)
}
