import type { User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import type { MailAddress } from './mail-content.js'
import type { Preference } from './preferences.js'

/** Where mails to a user go: to the chosen address while it is confirmed, or else to that of the account. */
export async function mailAddressOf(
  database: Database,
  user: Pick<User, 'id' | 'name' | 'email'>,
  { email }: Pick<Preference, 'email'> = { email: null },
): Promise<MailAddress> {
  const isOwn = email !== null && (await isOwnAddress(database, user, email))
  return { name: user.name, address: isOwn ? email : user.email }
}

/** Whether it is the address of the account, or another one that the user has confirmed. */
export async function isOwnAddress(
  database: Database,
  user: Pick<User, 'id' | 'email'>,
  email: string,
): Promise<boolean> {
  if (email.toLowerCase() === user.email.toLowerCase()) return true
  const confirmed = await database
    .selectFrom('user_email')
    .select('email')
    .where('user_id', '=', user.id)
    .where('confirmed_at', 'is not', null)
    .execute()
  return confirmed.some((one) => one.email.toLowerCase() === email.toLowerCase())
}

/** Those of the users who can get mails: active people, in the order of their IDs. */
export async function reachableUsers(database: Database, ids: readonly number[]): Promise<User[]> {
  const users: User[] = []
  for (let start = 0; start < ids.length; start += MAX_USERS) {
    users.push(
      ...(await database
        .selectFrom('user')
        .selectAll()
        .where('id', 'in', ids.slice(start, start + MAX_USERS))
        .where('state', '=', 'active')
        .where('kind', '=', 'human')
        .orderBy('id')
        .execute()),
    )
  }
  return users
}

/** Users per statement in both databases. */
const MAX_USERS = 500
