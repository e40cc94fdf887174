import { hashPassword } from '../../lib/password-hash.js'
import type { CallerSession, User } from '../access/caller.js'
import { checkAccount } from '../accounts/users/account-rules.js'
import { setPassword } from '../accounts/users/account/password.js'
import { refuseKnownPassword } from '../accounts/users/known-passwords/refuse-known.js'
import { mailPasswordChanged } from '../accounts/users/links/account-mails.js'
import type { Database } from '../database/connect.js'
import { lockRow } from '../database/lock-row.js'
import { inTransaction } from '../database/transaction.js'
import { notFound } from '../http/errors.js'

/** Ends all other sessions of the user. Throws 400 for an unsuitable password. */
export async function changeOwnPassword(
  database: Database,
  user: User,
  { password, session }: { password: string; session: CallerSession },
): Promise<void> {
  checkAccount({ password, username: undefined, email: undefined })
  await refuseKnownPassword(database, password)
  const hash = await hashPassword(password)
  await inTransaction(database, async (tx) => {
    if (!(await lockRow(tx, 'user', user.id))) throw notFound('User')
    await setPassword(tx, user.id, hash, { keptSession: session.id })
    await mailPasswordChanged(tx, user)
  })
}
