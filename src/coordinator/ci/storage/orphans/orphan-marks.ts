import { SwitchyardError } from '../../../../lib/errors.js'
import { HOUR } from '../../../../lib/time-units.js'
import type { Database } from '../../../database/connect.js'
import type { Transaction } from '../../../database/transaction.js'

/** The blob is being deleted, because no row named it for a day. It can be written again soon. */
export class BlobBeingDeletedError extends SwitchyardError {
  readonly name = 'BlobBeingDeletedError'
  readonly code = 'BLOB_BEING_DELETED'

  constructor(key: string) {
    super(`The blob ${key} was left by an interrupted write and is being deleted`)
  }
}

/** A mark of this age is that of a killed coordinator, in milliseconds: no deletion takes so long. */
const STALE = HOUR

/** False if the blob is marked already, or a row that names it is being written. */
export async function markOrphan(database: Database, key: string): Promise<boolean> {
  await deleteStaleMark(database, key)
  return insertMark(database, key)
}

export async function deleteMark(database: Database | Transaction, key: string): Promise<void> {
  await database.deleteFrom('orphaned_blob').where('blob_key', '=', key).execute()
}

/**
 * Call it in the transaction that inserts a row for a key that another write may have used before. It excludes a mark at
 * the same time: PostgreSQL lets one of the two inserts wait for the other. Throws `BlobBeingDeletedError`.
 */
export async function refuseMarked(tx: Transaction, key: string): Promise<void> {
  await deleteStaleMark(tx, key)
  if (!(await insertMark(tx, key))) throw new BlobBeingDeletedError(key)
  await deleteMark(tx, key)
}

async function insertMark(database: Database | Transaction, key: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await database
    .insertInto('orphaned_blob')
    .values({ blob_key: key, marked_at: Date.now() })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

async function deleteStaleMark(database: Database | Transaction, key: string): Promise<void> {
  await database
    .deleteFrom('orphaned_blob')
    .where('blob_key', '=', key)
    .where('marked_at', '<', Date.now() - STALE)
    .execute()
}
