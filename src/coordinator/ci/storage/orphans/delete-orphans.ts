import type { Logger } from '../../../../lib/logger.js'
import { pause } from '../../../../lib/pause.js'
import { DAY, HOUR } from '../../../../lib/time-units.js'
import type { Database } from '../../../database/connect.js'
import { findSetting, setSetting } from '../../../database/stores/instance-setting-store.js'
import type { BlobStore, ListedBlob } from '../blob-store.js'
import { unnamedKeys } from './named-keys.js'
import { deleteMark, markOrphan } from './orphan-marks.js'

export interface OrphanDeps {
  database: Database
  blobs: BlobStore
  logger: Logger
  /** The installation, in the record of the store. */
  owner: string
  onDeleted: (blob: ListedBlob) => void
  /** Whether this coordinator still is the one that deletes; asked before each page. */
  mayGoOn: () => Promise<boolean>
}

/** Name in `instance_setting`: when all blobs were compared with rows last, in milliseconds since 1970. */
const COMPARED_AT = 'orphans_compared_at'
/** Milliseconds from one comparison to the next: listing a large bucket is not free. */
const INTERVAL = 6 * HOUR
/** Age in milliseconds from which a blob without a row is deleted. */
const MAX_AGE = DAY

/** Blobs that are compared with rows at a time. */
const PAGE = 500
/** Milliseconds after each page. */
const PAGE_PAUSE = 100
/** Milliseconds after each deletion. */
const DELETION_PAUSE = 50

/** Periodic task: deletes blobs of which no row has known for a day. Does so every six hours, of all coordinators. */
export async function deleteOrphansWhenDue(deps: OrphanDeps, signal: AbortSignal): Promise<void> {
  const now = Date.now()
  const comparedAt = Number((await findSetting(deps.database, COMPARED_AT)) ?? 0)
  if (now - comparedAt < INTERVAL) return
  const isComplete = await deleteOrphans(deps, new Date(now - MAX_AGE), signal)
  if (isComplete) await setSetting(deps.database, COMPARED_AT, String(now))
}

/**
 * Deletes blobs that no row names and that were written before `olderThan`. Returns whether it has seen all. A killed
 * coordinator leaves them between the write of a blob and of its row, and between the deletion of a row and of its blob.
 *
 * A write takes less than a day from its first byte to the commit of the row, so the row of an older blob is committed or
 * will never be. The exception is a key that is written again, such as that of a Git LFS object, which is the digest of
 * its content. It is safe as follows:
 *
 * 1. The key is marked in the database.
 * 2. If a row names it now, or it was written again, it stays.
 * 3. The blob is deleted, and then the mark.
 *
 * The writer commits its row only while there is no mark (`refuseMarked`), and looks for the blob afterwards. So step 2
 * sees the row, or the writer sees the mark, or it sees that the blob is missing.
 */
export async function deleteOrphans(
  deps: OrphanDeps,
  olderThan: Date,
  signal: AbortSignal,
): Promise<boolean> {
  const { blobs, logger } = deps
  if (!(await deps.mayGoOn())) return false
  if (!(await blobs.claim(deps.owner))) {
    logger.warn(
      'Blobs without a row are not deleted, because the bucket belongs to another installation, such as the one that ' +
        'this one is a copy of. If that no longer runs, run "switchyard admin move-blobs", which takes the bucket over',
    )
    return true
  }
  for await (const page of pagesOf(blobs.list())) {
    if (signal.aborted || !(await deps.mayGoOn())) return false
    const old = page.filter(({ modifiedAt }) => modifiedAt < olderThan)
    const unnamed = await unnamedKeys(
      deps.database,
      old.map(({ key }) => key),
    )
    await deleteAll(deps, unnamed, olderThan, signal)
    await pause(PAGE_PAUSE, signal)
  }
  return true
}

async function deleteAll(
  deps: OrphanDeps,
  keys: Iterable<string>,
  olderThan: Date,
  signal: AbortSignal,
): Promise<void> {
  for (const key of keys) {
    if (signal.aborted) return
    await deleteOrphan(deps, key, olderThan)
    await pause(DELETION_PAUSE, signal)
  }
}

async function deleteOrphan(
  { database, blobs, logger, onDeleted }: OrphanDeps,
  key: string,
  olderThan: Date,
): Promise<void> {
  if (!(await markOrphan(database, key))) return
  const blob = await blobs.find(key)
  const isNamed = !(await unnamedKeys(database, [key])).has(key)
  if (blob && blob.modifiedAt < olderThan && !isNamed) {
    // After an error the mark stays for an hour, because the store may still execute the deletion.
    await blobs.delete(key)
    logger.info({ key, size: blob.size, modifiedAt: blob.modifiedAt }, 'Deleted a blob that no row names')
    onDeleted(blob)
  }
  await deleteMark(database, key)
}

async function* pagesOf(blobs: AsyncIterable<ListedBlob>): AsyncGenerator<ListedBlob[]> {
  let page: ListedBlob[] = []
  for await (const blob of blobs) {
    page.push(blob)
    if (page.length < PAGE) continue
    yield page
    page = []
  }
  yield page
}
