import { Type } from 'typebox'

import type { Transaction } from '../../database/transaction.js'
import type { TransferTarget } from '../../http/archive-part.js'

/** In records of archives, which refer to nobody by ID. */
export const Username = Type.String({ maxLength: 255 })

/** IDs of users by username. */
export type People = ReadonlyMap<string, number>

/** Number of names per query. */
const CHUNK = 500

/**
 * The users whom records name. Only an administrator can vouch that equal usernames on two servers belong to the same
 * person, so that there are none in other imports. The user `ghost` stands for deleted users on all servers.
 */
export async function peopleNamed(
  tx: Transaction,
  { importer, people: given }: TransferTarget,
  names: readonly (string | null | undefined)[],
): Promise<People> {
  if (given) return given
  const people = new Map<string, number>()
  if (!importer.is_admin) return people
  const wanted = [...new Set(names.filter((name) => typeof name === 'string'))]
  for (let start = 0; start < wanted.length; start += CHUNK) {
    const users = await tx
      .selectFrom('user')
      .select(['id', 'username'])
      .where('username', 'in', wanted.slice(start, start + CHUNK))
      .where('kind', 'in', ['human', 'ghost'])
      .execute()
    for (const { id, username } of users) people.set(username, id)
  }
  return people
}
