import type { Database } from '../../../database/connect.js'
import type { RulePeople } from './commit-rules.js'

/** Number of addresses per query. */
const CHUNK = 500

/** Addresses of all users, and of the one who pushes; `pusherId` is undefined if the coordinator commits for a user. */
export async function rulePeople(database: Database, pusherId: number | undefined): Promise<RulePeople> {
  return {
    pusherEmails: pusherId === undefined ? undefined : await emailsOf(database, pusherId),
    knownEmails: (emails) => knownAmong(database, emails),
  }
}

async function emailsOf(database: Database, userId: number): Promise<Set<string>> {
  const user = await database.selectFrom('user').select('email').where('id', '=', userId).executeTakeFirst()
  const others = await database
    .selectFrom('user_email')
    .select('email')
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .execute()
  return lowered([...(user ? [user] : []), ...others])
}

/** `emails` are in lower case. */
async function knownAmong(database: Database, emails: readonly string[]): Promise<Set<string>> {
  const known = new Set<string>()
  for (let start = 0; start < emails.length; start += CHUNK) {
    const some = emails.slice(start, start + CHUNK)
    const users = await database
      .selectFrom('user')
      .select('email')
      .where(({ fn }) => fn('lower', ['email']), 'in', some)
      .execute()
    const others = await database
      .selectFrom('user_email')
      .select('email')
      .where(({ fn }) => fn('lower', ['email']), 'in', some)
      .where('confirmed_at', 'is not', null)
      .execute()
    for (const email of lowered([...users, ...others])) known.add(email)
  }
  return known
}

function lowered(rows: readonly { email: string }[]): Set<string> {
  return new Set(rows.map(({ email }) => email.toLowerCase()))
}
