import { nameToEmoji } from 'gemoji'

import type { User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import type { NoteRow } from '../../hosting/note-store.js'
import { notFound, unauthorized } from '../../http/errors.js'
import { emitEmojiEvent, type EmojiFacts } from '../../integrations/webhooks/outbox/emit-emoji-event.js'
import { type Hooked, hookSubject } from '../hook-subject.js'
import {
  type Awarded,
  type AwardEmojiRow,
  deleteAwardRow,
  findAward,
  insertAward,
} from '../stores/award-emoji-store.js'
import { finishTodosAbout } from '../stores/todo-store.js'

/** Other names of the emoji that are counted as votes. */
const VOTES: Record<string, string> = { '+1': 'thumbsup', '-1': 'thumbsdown' }

/** The object that gets an emoji, locked, and whether the user may give it one. */
export interface Locked {
  awarded: Awarded
  isAllowed: boolean
  /** What webhooks of the project show; undefined for an epic, which has none. */
  hooked: { projectId: number; on: Hooked; note?: NoteRow } | undefined
}

/**
 * Gives an object an emoji. Throws 404 for a name that is no emoji, for one that the user has given before, and if
 * the user may not give any.
 */
export function createAward(
  database: Database,
  lock: (tx: Transaction) => Promise<Locked>,
  user: User,
  name: string,
): Promise<AwardEmojiRow> {
  return inTransaction(database, async (tx) => {
    const { awarded, isAllowed, hooked } = await lock(tx)
    if (!isAllowed) throw notFound('Award Emoji')
    if (!Object.hasOwn(nameToEmoji, name)) throw notFound('Award Emoji Name is not a valid emoji name')
    const row = await insertAward(tx, awarded, { userId: user.id, name: VOTES[name] ?? name })
    if (!row) throw notFound('Award Emoji Name has already been taken')
    await emit(tx, hooked, { award: row, action: 'award', userId: user.id })
    const { table, id } = awarded
    if (table === 'issue' || table === 'merge_request') await finishTodosAbout(tx, { table, id }, [user.id])
    return row
  })
}

/** Throws 404 for an unknown emoji. */
export async function requireAwardEmoji(
  database: Database,
  awarded: Awarded,
  id: number,
): Promise<AwardEmojiRow> {
  const row = await findAward(database, awarded, id)
  if (!row) throw notFound()
  return row
}

/** Throws 404 for an unknown emoji, and 401 for one of another user, unless an administrator deletes it. */
export function deleteAward(
  database: Database,
  lock: (tx: Transaction) => Promise<Locked>,
  user: User,
  id: number,
): Promise<void> {
  return inTransaction(database, async (tx) => {
    const { awarded, hooked } = await lock(tx)
    const row = await requireAwardEmoji(tx, awarded, id)
    if (row.user_id !== user.id && !user.is_admin) throw unauthorized()
    await deleteAwardRow(tx, row.id)
    await emit(tx, hooked, { award: row, action: 'revoke', userId: user.id })
  })
}

async function emit(
  tx: Transaction,
  hooked: Locked['hooked'],
  change: Pick<EmojiFacts, 'award' | 'action' | 'userId'>,
): Promise<void> {
  if (!hooked) return
  const { projectId, on, note } = hooked
  await emitEmojiEvent(tx, projectId, change, async () => ({
    on: await hookSubject(tx, on),
    ...(note && { note }),
  }))
}
