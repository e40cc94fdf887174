import { escapeMarkup } from '../../../../lib/escape-markup.js'
import type { Database } from '../../../database/connect.js'
import { isoTimeOrNull } from '../../../http/presenters/present-time.js'
import { DEFAULT_EMOJI, LIFETIMES, type SetStatus, type Status } from './status-schema.js'

const NO_STATUS: Status = {
  emoji: null,
  message: null,
  message_html: '',
  availability: 'not_set',
  clear_status_at: null,
}

export async function readStatus(database: Database, userId: number): Promise<Status> {
  const row = await database
    .selectFrom('user_status')
    .selectAll()
    .where('user_id', '=', userId)
    .where(({ or, eb }) => or([eb('clear_at', 'is', null), eb('clear_at', '>', Date.now())]))
    .executeTakeFirst()
  if (!row) return NO_STATUS
  return {
    emoji: row.emoji,
    message: row.message,
    message_html: escapeMarkup(row.message ?? ''),
    availability: row.availability,
    clear_status_at: isoTimeOrNull(row.clear_at),
  }
}

/** Replaces the whole status: fields that are not given are cleared. */
export async function setStatus(database: Database, userId: number, wanted: SetStatus): Promise<Status> {
  const { emoji, message, availability = 'not_set', clear_status_after } = wanted
  if (!emoji && !message && availability === 'not_set') {
    await database.deleteFrom('user_status').where('user_id', '=', userId).execute()
    return NO_STATUS
  }
  const values = {
    emoji: emoji || DEFAULT_EMOJI,
    message: message || null,
    availability,
    clear_at: clear_status_after ? Date.now() + LIFETIMES[clear_status_after] : null,
  }
  await database
    .insertInto('user_status')
    .values({ user_id: userId, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute()
  return readStatus(database, userId)
}
