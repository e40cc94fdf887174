import { nameToEmoji } from 'gemoji'
import { type Static, Type } from 'typebox'

import type { Database } from '../../database/connect.js'
import type { Transaction } from '../../database/transaction.js'
import { apiError } from '../../http/errors.js'
import { described, optional } from '../../http/parameters/described.js'
import { DateTime } from '../../http/parameters/types.js'
import { isoTime } from '../../http/presenters/present-time.js'
import { type Awarded, insertAward } from '../stores/award-emoji-store.js'
import { type People, Username } from './transferred-people.js'

const TransferredEmoji = Type.Object({
  name: described(Type.String(), 'Name without colons.'),
  user: described(Username, 'Username of the user who gave it.'),
  created_at: described(DateTime(), 'Time at which it was given.'),
})
export type TransferredEmoji = Static<typeof TransferredEmoji>

/** Field of the records of issues, merge requests and notes in archives. */
export const emojiField = {
  award_emoji: optional(Type.Array(TransferredEmoji), 'Emoji. Those of unknown users are left out.'),
}

const COLUMNS = { issue: 'issue_id', merge_request: 'merge_request_id', note: 'note_id' } as const

/** The emoji of each of some objects that has any, by ID. */
export async function emojiOf(
  database: Database,
  table: keyof typeof COLUMNS,
  ids: readonly number[],
): Promise<Map<number, TransferredEmoji[]>> {
  const column = COLUMNS[table]
  const awards = await database
    .selectFrom('award_emoji')
    .innerJoin('user', 'user.id', 'award_emoji.user_id')
    .select([`award_emoji.${column} as owner_id`, 'award_emoji.name', 'user.username'])
    .select('award_emoji.created_at')
    .where(`award_emoji.${column}`, 'in', ids)
    .orderBy('award_emoji.id')
    .execute()
  const byOwner = new Map<number, TransferredEmoji[]>()
  for (const { owner_id, name, username, created_at } of awards) {
    const emoji = { name, user: username, created_at: isoTime(created_at) }
    const id = owner_id ?? 0
    byOwner.set(id, [...(byOwner.get(id) ?? []), emoji])
  }
  return byOwner
}

/** Writes the emoji of an object that `tx` has created. Throws 400 for a name that is no emoji. */
export async function writeEmoji(
  tx: Transaction,
  owner: Awarded,
  emoji: readonly TransferredEmoji[],
  people: People,
): Promise<void> {
  for (const { name, user, created_at } of emoji) {
    if (!Object.hasOwn(nameToEmoji, name)) throw apiError('imported_emoji_unknown', { name })
    const userId = people.get(user)
    if (userId !== undefined) await insertAward(tx, owner, { userId, name, at: Date.parse(created_at) })
  }
}
