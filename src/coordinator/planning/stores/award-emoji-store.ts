import { type Selectable, sql, type SqlBool } from 'kysely'

import type { Database } from '../../database/connect.js'
import type { AwardEmojiTable } from '../../database/tables/award-emoji.js'
import type { Transaction } from '../../database/transaction.js'
import { OWNERS } from '../../hosting/note-store.js'
import { emitPlanned } from '../../hosting/planned-changes.js'
import type { Paging } from '../../http/page.js'
import { listRows, type Rows } from '../../http/paging/list-rows.js'

export type AwardEmojiRow = Selectable<AwardEmojiTable>

/** What has emoji: a table, and the ID of its row. */
export interface Awarded {
  table: keyof typeof COLUMNS
  id: number
}

const COLUMNS = {
  issue: 'issue_id',
  merge_request: 'merge_request_id',
  note: 'note_id',
  snippet: 'snippet_id',
} as const

/** Emoji that are counted as votes, with the columns of their numbers. */
const VOTES: Record<string, 'upvotes' | 'downvotes'> = { thumbsup: 'upvotes', thumbsdown: 'downvotes' }

/** Lists the emoji of an object, the oldest first. */
export function listAwards(
  database: Database,
  { table, id }: Awarded,
  paging: Paging,
): Promise<Rows<AwardEmojiRow>> {
  const matching = database.selectFrom('award_emoji').where(COLUMNS[table], '=', id)
  return listRows(database, matching, paging, { table: 'award_emoji', column: 'id', direction: 'asc' })
}

export function findAward(
  database: Database,
  { table, id }: Awarded,
  awardId: number,
): Promise<AwardEmojiRow | undefined> {
  return database
    .selectFrom('award_emoji')
    .selectAll()
    .where('id', '=', awardId)
    .where(COLUMNS[table], '=', id)
    .executeTakeFirst()
}

/** Adds an emoji of a user; undefined if the user has given it before. `at`: the time, by default now. */
export async function insertAward(
  tx: Transaction,
  { table, id }: Awarded,
  { userId, name, at: now = Date.now() }: { userId: number; name: string; at?: number },
): Promise<AwardEmojiRow | undefined> {
  const row = await tx
    .insertInto('award_emoji')
    .values({ [COLUMNS[table]]: id, user_id: userId, name, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  if (row) await changed(tx, row, 1)
  return row
}

/** Deletes an emoji, unless somebody else has. */
export async function deleteAwardRow(tx: Transaction, id: number): Promise<void> {
  const row = await tx.deleteFrom('award_emoji').where('id', '=', id).returningAll().executeTakeFirst()
  if (row) await changed(tx, row, -1)
}

/** What follows when an emoji was given (1) or taken back (-1). */
async function changed(tx: Transaction, row: AwardEmojiRow, number: 1 | -1): Promise<void> {
  await addVotes(tx, row, number)
  if (row.note_id === null) {
    emitPlanned(tx, row)
    return
  }
  const note = await tx.selectFrom('note').select(OWNERS).where('id', '=', row.note_id).executeTakeFirst()
  if (note) emitPlanned(tx, note)
}

async function addVotes(
  tx: Transaction,
  { name, issue_id, merge_request_id }: AwardEmojiRow,
  number: number,
): Promise<void> {
  const column = VOTES[name]
  if (!column) return
  const add = sql<number>`${sql.ref(column)} + ${number}`
  if (issue_id !== null) {
    await tx
      .updateTable('issue')
      .set({ [column]: add })
      .where('id', '=', issue_id)
      .execute()
  }
  if (merge_request_id !== null) {
    await tx
      .updateTable('merge_request')
      .set({ [column]: add })
      .where('id', '=', merge_request_id)
      .execute()
  }
}

/** How often a note was given an emoji. */
interface CountedAward {
  name: string
  count: number
  /** ID of the emoji that the viewer gave; null without one. */
  own_id: number | null
}

/** The emoji of notes, by the ID of the note; those of each note in the order in which they were first given. */
export async function awardsOfNotes(
  database: Database,
  noteIds: readonly number[],
  viewerId: number | undefined,
): Promise<Map<number, CountedAward[]>> {
  const counted = new Map<number, CountedAward[]>()
  if (noteIds.length === 0) return counted
  const own = sql<number | null>`max(case when user_id = ${viewerId ?? 0} then id end)`
  const rows = await database
    .selectFrom('award_emoji')
    .select(({ fn }) => ['note_id', 'name', fn.countAll<number>().as('count'), own.as('own_id')])
    .where('note_id', 'in', noteIds)
    .groupBy(['note_id', 'name'])
    .orderBy(({ fn }) => fn.min('id'))
    .execute()
  for (const { note_id, ...award } of rows) {
    if (note_id !== null) counted.set(note_id, [...(counted.get(note_id) ?? []), award])
  }
  return counted
}

/** Deletes the emoji of a user. */
export async function deleteAwardsOfUser(tx: Transaction, userId: number): Promise<void> {
  for (const [name, column] of Object.entries(VOTES)) {
    const oneLess = sql<number>`${sql.ref(column)} - 1`
    const given = sql`from award_emoji where user_id = ${userId} and name = ${name}`
    await tx
      .updateTable('issue')
      .set({ [column]: oneLess })
      .where(sql<SqlBool>`id in (select issue_id ${given} and issue_id is not null)`)
      .execute()
    await tx
      .updateTable('merge_request')
      .set({ [column]: oneLess })
      .where(sql<SqlBool>`id in (select merge_request_id ${given} and merge_request_id is not null)`)
      .execute()
  }
  await tx.deleteFrom('award_emoji').where('user_id', '=', userId).execute()
}

/** Gives a copy of an issue the emoji of the original; its numbers of votes are those of the original already. */
export async function copyIssueAwards(tx: Transaction, fromId: number, toId: number): Promise<void> {
  await tx
    .insertInto('award_emoji')
    .columns(['issue_id', 'user_id', 'name', 'created_at', 'updated_at'])
    .expression(({ selectFrom, val }) =>
      selectFrom('award_emoji')
        .select([val(toId).as('issue_id'), 'user_id', 'name', 'created_at', 'updated_at'])
        .where('issue_id', '=', fromId)
        .orderBy('id'),
    )
    .execute()
}
