import { tokenDigest } from '../../../lib/tokens.js'
import type { Database } from '../../database/connect.js'

/** Uses a value that is valid once, until `expiresAt` (milliseconds since 1970). Returns false if it was used before. */
export async function useOnce(database: Database, value: string, expiresAt: number): Promise<boolean> {
  const inserted = await database
    .insertInto('used_sign_in_token')
    .values({ digest: tokenDigest(value), expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('digest').doNothing())
    .returning('digest')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Periodic task: values that expired before `time` are refused by their age. */
export async function deleteUsedTokensBefore(database: Database, time: number): Promise<void> {
  await database.deleteFrom('used_sign_in_token').where('expires_at', '<', time).execute()
}
