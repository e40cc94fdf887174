import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'

import type { Selectable } from 'kysely'

import { retry, type RetryOptions } from '../../../lib/retry.js'
import type { BlobStore, ByteRange } from '../../ci/storage/blob-store.js'
import { BlobBeingDeletedError, refuseMarked } from '../../ci/storage/orphans/orphan-marks.js'
import { readExpected } from '../../ci/storage/read-expected.js'
import { unlessDeleted } from '../../ci/storage/unless-deleted.js'
import type { Database } from '../../database/connect.js'
import { inPages } from '../../database/in-pages.js'
import { isBrokenReference } from '../../database/lost-race.js'
import type { LfsObjectTable } from '../../database/tables/lfs.js'
import { inTransaction } from '../../database/transaction.js'
import { type LfsError, lfsError } from './lfs-error.js'

export type LfsObject = Selectable<LfsObjectTable>

export interface LfsObjectDeps {
  database: Database
  blobs: BlobStore
}

/** ID and size that a client states for an object. */
export interface StatedObject {
  oid: string
  size: number
}

/** Delays in milliseconds, in which what an interrupted copy left is deleted. */
const WHILE_DELETED = {
  attempts: 5,
  delay: 200,
  maximumDelay: 2000,
  isWorthRetrying: (error: unknown) => error instanceof BlobBeingDeletedError,
} satisfies RetryOptions

export function isOid(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text)
}

/**
 * Blob key below the folder of the project, which is deleted with the project. Projects share no blobs, so that an
 * upload does not reveal whether another project has the object.
 */
export function blobKey(projectId: number, oid: string): string {
  return `projects/${projectId}/lfs/${oid}`
}

/** The bytes of an object, or a part of them. All bytes are compared with the ID. */
export function readLfsObject(
  blobs: BlobStore,
  { project_id, oid, size }: LfsObject,
  range?: ByteRange,
): Promise<Readable> {
  return readExpected(blobs, blobKey(project_id, oid), { size, sha256: oid }, range)
}

/** The objects that the project has, by ID. */
export async function objectsByOid(
  database: Database,
  projectId: number,
  oids: string[],
): Promise<Map<string, LfsObject>> {
  if (oids.length === 0) return new Map()
  const rows = await database
    .selectFrom('lfs_object')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('oid', 'in', oids)
    .execute()
  return new Map(rows.map((row) => [row.oid, row]))
}

/** All objects of a project, oldest first. */
export function allObjects(database: Database, projectId: number): AsyncIterable<LfsObject> {
  return inPages(
    database.selectFrom('lfs_object').selectAll().where('project_id', '=', projectId),
    'lfs_object',
  )
}

/**
 * Stores the content of an object, and then its row. Throws `LfsError` and stores nothing: 422 if the bytes are not those
 * of the stated object, 503 if what an interrupted upload of it left is being deleted.
 */
export async function storeObject(
  { database, blobs }: LfsObjectDeps,
  projectId: number,
  stated: StatedObject,
  body: AsyncIterable<Buffer>,
): Promise<void> {
  const content = Readable.from(checked(stated, body), { objectMode: false })
  await blobs.write(blobKey(projectId, stated.oid), content)
  try {
    await insertObject({ database, blobs }, projectId, stated)
  } catch (error) {
    if (!(error instanceof BlobBeingDeletedError)) throw error
    throw lfsError('lfs_not_stored')
  }
}

/** Copies each object of `source` that still exists to `target`. Repeating this changes nothing. */
export async function copyAllObjects(
  deps: LfsObjectDeps,
  source: number,
  target: number,
  signal: AbortSignal,
): Promise<void> {
  for await (const object of allObjects(deps.database, source)) {
    signal.throwIfAborted()
    await copyObject(deps, object, target)
  }
}

/** Copies an object of another project to `target`, if it still exists. Throws `BlobMissingError` if its bytes are lost. */
export async function copyObject(
  deps: LfsObjectDeps,
  { project_id: source, oid, size }: LfsObject,
  target: number,
): Promise<void> {
  await retry(async () => {
    const copying = async () => {
      await deps.blobs.copy(blobKey(source, oid), blobKey(target, oid))
      return true
    }
    const isCopied = await unlessDeleted(copying, () => hasObject(deps.database, source, oid))
    if (isCopied) await insertObject(deps, target, { oid, size })
  }, WHILE_DELETED)
}

/** Whether the project has the object. */
export async function hasObject(database: Database, projectId: number, oid: string): Promise<boolean> {
  return (await objectsByOid(database, projectId, [oid])).size > 0
}

/**
 * Deletes the blob again if the project was deleted in the meantime. Throws `BlobBeingDeletedError` if an earlier write
 * was interrupted, and its blob is being deleted at this moment.
 */
async function insertObject(
  { database, blobs }: LfsObjectDeps,
  project_id: number,
  { oid, size }: StatedObject,
): Promise<void> {
  const key = blobKey(project_id, oid)
  try {
    await inTransaction(database, async (tx) => {
      await refuseMarked(tx, key)
      await tx
        .insertInto('lfs_object')
        .values({ project_id, oid, size, created_at: Date.now() })
        .onConflict((conflict) => conflict.columns(['project_id', 'oid']).doNothing())
        .execute()
    })
  } catch (error) {
    // After another error the blob stays, since a second upload may have stored the row by now.
    if (isBrokenReference(error)) await blobs.delete(key)
    throw error
  }
  if (await blobs.exists(key)) return
  await database
    .deleteFrom('lfs_object')
    .where('project_id', '=', project_id)
    .where('oid', '=', oid)
    .execute()
  // Another upload may have stored the blob by now, and relied on the row.
  if (await blobs.exists(key)) return insertObject({ database, blobs }, project_id, { oid, size })
  throw new BlobBeingDeletedError(key)
}

/** Passes the bytes on; fails before their end if they are not those of the object. */
async function* checked({ oid, size }: StatedObject, body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  let seen = 0
  for await (const bytes of body) {
    seen += bytes.length
    if (seen > size) throw wrongSize(size)
    hash.update(bytes)
    yield bytes
  }
  if (seen !== size) throw wrongSize(size)
  if (hash.digest('hex') !== oid) throw lfsError('lfs_wrong_digest')
}

export function wrongSize(size: number): LfsError {
  return lfsError('lfs_wrong_size', { size })
}
