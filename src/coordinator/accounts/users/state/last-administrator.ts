import type { User } from '../../../access/caller.js'
import type { Transaction } from '../../../database/transaction.js'
import type { ApiError } from '../../../http/errors.js'
import { hasOtherAdministrator, lockAdministrators } from '../store.js'

/** Throws `refusal` if no administrator would remain, because no one could appoint another one. */
export async function refuseLastAdministrator(tx: Transaction, user: User, refusal: ApiError): Promise<void> {
  if (!user.is_admin || user.state !== 'active') return
  // The lock serializes concurrent changes, so that the second one sees the first.
  await lockAdministrators(tx)
  if (!(await hasOtherAdministrator(tx, user.id))) throw refusal
}
