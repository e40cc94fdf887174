import { sql } from 'kysely'

import type { User } from '../../../access/caller.js'
import type { Transaction } from '../../../database/transaction.js'
import type { ApiError } from '../../../http/errors.js'

/** Throws `refusal` if no administrator would remain, because no one could appoint another one. */
export async function refuseLastAdministrator(tx: Transaction, user: User, refusal: ApiError): Promise<void> {
  if (!user.is_admin || user.state !== 'active') return
  // The lock serializes concurrent changes, so that the second one sees the first.
  await tx
    .updateTable('user')
    .set({ name: sql.ref('name') })
    .where('is_admin', '=', true)
    .execute()
  const other = await tx
    .selectFrom('user')
    .select('id')
    .where('is_admin', '=', true)
    .where('state', '=', 'active')
    .where('id', '!=', user.id)
    .executeTakeFirst()
  if (!other) throw refusal
}
