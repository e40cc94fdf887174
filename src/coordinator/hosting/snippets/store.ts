import { type Insertable, type RawBuilder, type Selectable, sql, type SqlBool, type Updateable } from 'kysely'

import type { User } from '../../access/caller.js'
import { readsSnippets } from '../../access/planning-visibility.js'
import { isSnippetSeen } from '../../access/snippet-visibility.js'
import type { Database } from '../../database/connect.js'
import { deleteDependents } from '../../database/delete-in-steps.js'
import type { SnippetTable } from '../../database/tables/snippets.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import type { Paging } from '../../http/page.js'
import { listRows, type Rows } from '../../http/paging/list-rows.js'
import { emitDeletedPlanned, emitPlanned } from '../planned-changes.js'

export type SnippetRow = Selectable<SnippetTable>

/** Which snippets a list has. `seesAll`: also private ones of others. */
export interface SnippetFilter {
  /** Null: personal ones; undefined: all. */
  project_id?: number | null
  author_id?: number
  visibility?: 'public'
  created_after?: string | undefined
  created_before?: string | undefined
}

const ORDER = { table: 'snippet', column: 'id', direction: 'desc' } as const

/** Lists snippets that the viewer may see, the newest first. */
export function listSnippets(
  database: Database,
  filter: SnippetFilter,
  isSeen: RawBuilder<SqlBool>,
  paging: Paging,
): Promise<Rows<SnippetRow>> {
  const { project_id, author_id, visibility, created_after, created_before } = filter
  const matching = database
    .selectFrom('snippet')
    .where('is_ready', '=', true)
    .where(isSeen)
    .$if(project_id === null, (query) => query.where('project_id', 'is', null))
    .$if(typeof project_id === 'number', (query) => query.where('project_id', '=', project_id ?? 0))
    .$if(author_id !== undefined, (query) => query.where('author_id', '=', author_id ?? 0))
    .$if(visibility !== undefined, (query) => query.where('visibility', '=', visibility ?? 'public'))
    .$if(created_after !== undefined, (query) =>
      query.where('created_at', '>=', Date.parse(created_after ?? '')),
    )
    .$if(created_before !== undefined, (query) =>
      query.where('created_at', '<=', Date.parse(created_before ?? '')),
    )
  return listRows(database, matching, paging, ORDER)
}

/** A snippet of the project, or with null a personal one, that the viewer sees. */
export function findVisibleSnippet(
  database: Database,
  where: { id: number; projectId: number | null },
  viewer: User | undefined,
): Promise<SnippetRow | undefined> {
  const isReadable =
    where.projectId === null
      ? sql<SqlBool>`true`
      : sql<SqlBool>`snippet.project_id in (select project.id from project where ${readsSnippets(viewer)})`
  return findSnippet(database, where, sql<SqlBool>`(${isReadable} and ${isSnippetSeen(viewer)})`)
}

/** Those of the snippets with these IDs, of projects and of users, that the viewer sees. */
export function visibleSnippets(
  database: Database,
  viewer: User | undefined,
  ids: readonly number[],
): Promise<SnippetRow[]> {
  return database
    .selectFrom('snippet')
    .selectAll()
    .where('id', 'in', ids)
    .where('is_ready', '=', true)
    .where(
      sql<SqlBool>`(snippet.project_id is null
        or snippet.project_id in (select project.id from project where ${readsSnippets(viewer)}))`,
    )
    .where(isSnippetSeen(viewer))
    .orderBy('id')
    .execute()
}

/** A snippet of the project, or with null a personal one, if the condition holds. */
export function findSnippet(
  database: Database,
  { id, projectId }: { id: number; projectId: number | null },
  isSeen: RawBuilder<SqlBool>,
): Promise<SnippetRow | undefined> {
  const found = database.selectFrom('snippet').selectAll().where('id', '=', id).where('is_ready', '=', true)
  return (
    projectId === null ? found.where('project_id', 'is', null) : found.where('project_id', '=', projectId)
  )
    .where(isSeen)
    .executeTakeFirst()
}

export function insertSnippet(
  database: Database,
  values: Omit<Insertable<SnippetTable>, 'id'>,
): Promise<SnippetRow> {
  return database.insertInto('snippet').values(values).returningAll().executeTakeFirstOrThrow()
}

/** Gives a snippet another time of its last change, unless that is not `from` any more; whether it was. */
export async function moveUpdateTime(
  database: Database,
  id: number,
  { from, to }: { from: number; to: number },
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('snippet')
    .set({ updated_at: to })
    .where('id', '=', id)
    .where('updated_at', '=', from)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export function updateSnippet(
  database: Database,
  id: number,
  values: Updateable<SnippetTable>,
): Promise<SnippetRow | undefined> {
  return inTransaction(database, async (tx) => {
    const row = await tx
      .updateTable('snippet')
      .set(values)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst()
    if (row) emitPlanned(tx, { snippet_id: id })
    return row
  })
}

export async function deleteSnippetRow(database: Database, id: number): Promise<void> {
  await deleteDependents(database, 'snippet', id)
  await inTransaction(database, async (tx) => {
    await tx.deleteFrom('snippet').where('id', '=', id).execute()
    emitDeletedPlanned(tx, { kind: 'snippet', id })
  })
}

/** Those of the IDs that a snippet has. */
export async function existingSnippets(database: Database, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const rows = await database.selectFrom('snippet').select('id').where('id', 'in', ids).execute()
  return new Set(rows.map(({ id }) => id))
}

/** Deletes snippets whose creation was interrupted before this time. */
export async function deleteUnreadySnippets(database: Database, before: number): Promise<void> {
  await database
    .deleteFrom('snippet')
    .where('is_ready', '=', false)
    .where('created_at', '<', before)
    .execute()
}

/** Makes another user the author of the snippets of projects, and deletes personal ones. */
export async function reassignSnippets(tx: Transaction, fromId: number, toId: number): Promise<void> {
  await tx.deleteFrom('snippet').where('author_id', '=', fromId).where('project_id', 'is', null).execute()
  await tx.updateTable('snippet').set({ author_id: toId }).where('author_id', '=', fromId).execute()
}
