import type { Insertable, Selectable, Updateable } from 'kysely'

import type { Database } from '../database/connect.js'
import type { BulkImportEntityTable, BulkImportTable } from '../database/tables/bulk-imports.js'
import { inTransaction, type Transaction } from '../database/transaction.js'
import type { Paging } from '../http/page.js'
import { listRows, type Rows } from '../http/paging/list-rows.js'

export type BulkImport = Selectable<BulkImportTable>
export type BulkImportEntity = Selectable<BulkImportEntityTable>

/** Number of open imports per query; the rest follow in the next one. */
const MAX_IMPORTS = 100

export function insertImport(
  tx: Transaction,
  values: Pick<Insertable<BulkImportTable>, 'user_id' | 'source_url' | 'token_encrypted' | 'dry_run'>,
): Promise<BulkImport> {
  const now = Date.now()
  return tx
    .insertInto('bulk_import')
    .values({ ...values, created_at: now, updated_at: now })
    .returningAll()
    .executeTakeFirstOrThrow()
}

type NewEntity = Omit<Insertable<BulkImportEntityTable>, 'id' | 'created_at' | 'updated_at'>

/** Adds groups and projects to an import, without those that it has already. */
export async function insertEntities(tx: Transaction, entities: readonly NewEntity[]): Promise<void> {
  const now = Date.now()
  for (const entity of entities) {
    await tx
      .insertInto('bulk_import_entity')
      .values({ ...entity, created_at: now, updated_at: now })
      .onConflict((conflict) =>
        conflict.columns(['bulk_import_id', 'source_type', 'source_full_path']).doNothing(),
      )
      .execute()
  }
}

export async function countEntities(database: Database, importId: number): Promise<number> {
  const { count } = await database
    .selectFrom('bulk_import_entity')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('bulk_import_id', '=', importId)
    .executeTakeFirstOrThrow()
  return count
}

/** The imports of a user, newest first. */
export function listImports(
  database: Database,
  { userId, status }: { userId: number; status: BulkImport['status'] | undefined },
  paging: Paging,
): Promise<Rows<BulkImport>> {
  const all = database.selectFrom('bulk_import').where('user_id', '=', userId)
  const matching = status === undefined ? all : all.where('status', '=', status)
  return listRows(database, matching, paging, { table: 'bulk_import', column: 'id', direction: 'desc' })
}

export function findImport(database: Database, id: number): Promise<BulkImport | undefined> {
  return database.selectFrom('bulk_import').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Imports that have not ended, oldest first. */
export function openImports(database: Database): Promise<BulkImport[]> {
  return database
    .selectFrom('bulk_import')
    .selectAll()
    .where('finished_at', 'is', null)
    .orderBy('id')
    .limit(MAX_IMPORTS)
    .execute()
}

export async function countOpenImports(database: Database, userId: number): Promise<number> {
  const { count } = await database
    .selectFrom('bulk_import')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('finished_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

/** Claims an open import until the given time; false if another worker has it, or it has ended. */
export async function claimImport(database: Database, id: number, until: number): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('bulk_import')
    .set({ claimed_until: until, status: 'started', updated_at: Date.now() })
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .where(({ or, eb }) => or([eb('claimed_until', 'is', null), eb('claimed_until', '<', Date.now())]))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Extends the claim; null releases it. */
export async function renewClaim(database: Database, id: number, until: number | null): Promise<void> {
  await database.updateTable('bulk_import').set({ claimed_until: until }).where('id', '=', id).execute()
}

/**
 * Ends an import and deletes its token; what has not ended of it gets the same status. False if it has ended before. A kill
 * in between leaves it open.
 */
export function endImport(
  database: Database,
  id: number,
  ended: { status: 'finished' | 'failed' | 'canceled'; error?: string },
): Promise<boolean> {
  const { status, error = null } = ended
  return inTransaction(database, async (tx) => {
    const now = Date.now()
    const { numUpdatedRows } = await tx
      .updateTable('bulk_import')
      .set({ status, error, token_encrypted: null, claimed_until: null, finished_at: now, updated_at: now })
      .where('id', '=', id)
      .where('finished_at', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows !== 1n) return false
    await tx
      .updateTable('bulk_import_entity')
      .set({ status: status === 'canceled' ? 'canceled' : 'failed', error, updated_at: now })
      .where('bulk_import_id', '=', id)
      .where('status', 'in', ['created', 'started'])
      .execute()
    return true
  })
}

export function entitiesOf(database: Database, importId: number): Promise<BulkImportEntity[]> {
  return database
    .selectFrom('bulk_import_entity')
    .selectAll()
    .where('bulk_import_id', '=', importId)
    .orderBy('id')
    .execute()
}

export function listEntities(
  database: Database,
  importId: number,
  paging: Paging,
): Promise<Rows<BulkImportEntity>> {
  const matching = database.selectFrom('bulk_import_entity').where('bulk_import_id', '=', importId)
  return listRows(database, matching, paging, { table: 'bulk_import_entity', column: 'id', direction: 'asc' })
}

export function findEntity(
  database: Database,
  importId: number,
  id: number,
): Promise<BulkImportEntity | undefined> {
  return database
    .selectFrom('bulk_import_entity')
    .selectAll()
    .where('bulk_import_id', '=', importId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** The next group or project to import: groups come before what they contain. */
export function nextEntity(database: Database, importId: number): Promise<BulkImportEntity | undefined> {
  return database
    .selectFrom('bulk_import_entity')
    .selectAll()
    .where('bulk_import_id', '=', importId)
    .where('status', 'in', ['created', 'started'])
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

export function updateEntity(
  database: Database,
  id: number,
  changes: Updateable<BulkImportEntityTable>,
): Promise<BulkImportEntity | undefined> {
  return database
    .updateTable('bulk_import_entity')
    .set({ ...changes, updated_at: Date.now() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

/** Whether the group or project was created by an import of this group or project of the same source. */
export async function wasImportedFrom(
  database: Database,
  { source_url }: Pick<BulkImport, 'source_url'>,
  { source_type, source_id }: Pick<BulkImportEntity, 'source_type' | 'source_id'>,
  target: { group_id: number } | { project_id: number },
): Promise<boolean> {
  const [column, id] =
    'group_id' in target
      ? (['group_id', target.group_id] as const)
      : (['project_id', target.project_id] as const)
  const earlier = await database
    .selectFrom('bulk_import_entity')
    .innerJoin('bulk_import', 'bulk_import.id', 'bulk_import_entity.bulk_import_id')
    .select('bulk_import_entity.id')
    .where(`bulk_import_entity.${column}`, '=', id)
    .where('source_type', '=', source_type)
    .where('source_id', '=', source_id)
    .where('source_url', '=', source_url)
    .limit(1)
    .executeTakeFirst()
  return earlier !== undefined
}
