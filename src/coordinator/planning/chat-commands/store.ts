import type { Insertable, Selectable } from 'kysely'

import type { User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { claimRow, findDueRows } from '../../database/due-rows.js'
import type { ChatNameCodeTable, ChatNameTable, ChatReplyTable } from '../../database/tables/integrations.js'
import type { Transaction } from '../../database/transaction.js'
import type { Paging } from '../../http/page.js'
import { listRows, type Rows } from '../../http/paging/list-rows.js'

export type ChatNameRow = Selectable<ChatNameTable>

/** A user at a chat service. */
export interface ChatUser {
  integrationId: number
  teamId: string
  chatId: string
}

/** Undefined for a chat user without a user of this instance. */
export async function findChatName(
  database: Database,
  { integrationId, teamId, chatId }: ChatUser,
): Promise<ChatNameRow | undefined> {
  return database
    .selectFrom('chat_name')
    .selectAll()
    .where('integration_id', '=', integrationId)
    .where('team_id', '=', teamId)
    .where('chat_id', '=', chatId)
    .executeTakeFirst()
}

export function findUser(database: Database, id: number): Promise<User | undefined> {
  return database.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function recordUse(database: Database, id: number): Promise<void> {
  await database.updateTable('chat_name').set({ last_used_at: Date.now() }).where('id', '=', id).execute()
}

/** Replaces an earlier code of the chat user, and deletes codes that have expired. */
export async function saveCode(
  tx: Transaction,
  values: Omit<Insertable<ChatNameCodeTable>, 'id'>,
): Promise<void> {
  await tx.deleteFrom('chat_name_code').where('expires_at', '<=', Date.now()).execute()
  const { digest, team_domain, chat_name, expires_at } = values
  await tx
    .insertInto('chat_name_code')
    .values(values)
    .onConflict((conflict) =>
      conflict
        .columns(['integration_id', 'team_id', 'chat_id'])
        .doUpdateSet({ digest, team_domain, chat_name, expires_at }),
    )
    .execute()
}

/** A code that has not expired. */
export function findCode(
  database: Database,
  digest: string,
): Promise<Selectable<ChatNameCodeTable> | undefined> {
  return database
    .selectFrom('chat_name_code')
    .selectAll()
    .where('digest', '=', digest)
    .where('expires_at', '>', Date.now())
    .executeTakeFirst()
}

/** Deletes a code that has not expired, so that it is used once. */
export function takeCode(
  tx: Transaction,
  digest: string,
): Promise<Selectable<ChatNameCodeTable> | undefined> {
  return tx
    .deleteFrom('chat_name_code')
    .where('digest', '=', digest)
    .where('expires_at', '>', Date.now())
    .returningAll()
    .executeTakeFirst()
}

/** Undefined if the chat user belongs to a user already. */
export function insertChatName(
  tx: Transaction,
  values: Omit<Insertable<ChatNameTable>, 'id'>,
): Promise<ChatNameRow | undefined> {
  return tx
    .insertInto('chat_name')
    .values(values)
    .onConflict((conflict) => conflict.columns(['integration_id', 'team_id', 'chat_id']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Oldest first. */
export function listChatNames(
  database: Database,
  userId: number,
  paging: Paging,
): Promise<Rows<ChatNameRow>> {
  const own = database.selectFrom('chat_name').where('user_id', '=', userId)
  return listRows(database, own, paging, { table: 'chat_name', column: 'id', direction: 'asc' })
}

export function findOwnChatName(
  database: Database,
  userId: number,
  id: number,
): Promise<ChatNameRow | undefined> {
  return database
    .selectFrom('chat_name')
    .selectAll()
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function deleteChatName(database: Database, id: number): Promise<void> {
  await database.deleteFrom('chat_name').where('id', '=', id).execute()
}

/** Kinds and projects of integrations, by ID. */
export async function integrationsOf(
  database: Database,
  ids: readonly number[],
): Promise<Map<number, { slug: string; project_id: number }>> {
  if (ids.length === 0) return new Map()
  const rows = await database
    .selectFrom('integration')
    .select(['id', 'slug', 'project_id'])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, ...row }) => [id, row]))
}

/** A response that a chat waits for, of a pipeline that has ended. */
export type DueReply = Selectable<ChatReplyTable> & { due_at: number }

export async function insertReply(
  tx: Transaction,
  values: Omit<Insertable<ChatReplyTable>, 'id'>,
): Promise<void> {
  await tx.deleteFrom('chat_reply').where('expires_at', '<=', Date.now()).execute()
  await tx.insertInto('chat_reply').values(values).execute()
}

/** Whether there are responses about these pipelines, which are due now. */
export async function setRepliesDue(tx: Transaction, pipelineIds: readonly number[]): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('chat_reply')
    .set({ due_at: Date.now() })
    .where('pipeline_id', 'in', pipelineIds)
    .where('due_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Those that are due at `now`, the longest due first. */
export async function findDueReplies(database: Database, now: number, limit: number): Promise<DueReply[]> {
  const rows = await findDueRows(database, 'chat_reply', now, limit)
  return rows.flatMap(({ due_at, ...row }) => (due_at === null ? [] : [{ ...row, due_at }]))
}

/** False if another coordinator has claimed it. */
export function claimReply(
  database: Database,
  { id, due_at }: Pick<DueReply, 'id' | 'due_at'>,
  until: number,
): Promise<boolean> {
  return claimRow(
    database
      .updateTable('chat_reply')
      .set({ due_at: until })
      .where('id', '=', id)
      .where('due_at', '=', due_at),
  )
}

export async function deleteReply(database: Database, id: number): Promise<void> {
  await database.deleteFrom('chat_reply').where('id', '=', id).execute()
}
