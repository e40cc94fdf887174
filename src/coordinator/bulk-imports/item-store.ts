import type { Selectable } from 'kysely'

import type { Database } from '../database/connect.js'
import type { BulkImportItemTable, BulkImportOutcome } from '../database/tables/bulk-imports.js'
import type { Paging } from '../http/page.js'
import { listRows, type Rows } from '../http/paging/list-rows.js'
import type { BulkImport, BulkImportEntity } from './store.js'

export type BulkImportItem = Selectable<BulkImportItemTable>

/** What became of one object of the source. */
export interface NewItem {
  kind: string
  source_key: string
  name?: string | null
  outcome: BulkImportOutcome
  reason?: string
  target_id?: number
}

/** Longest name and reason that are kept, in characters. */
const MAX_TEXT = 500

/** Records what became of an object, unless that is recorded already. */
export async function insertItem(database: Database, entityId: number, item: NewItem): Promise<void> {
  const { name, reason, ...values } = item
  await database
    .insertInto('bulk_import_item')
    .values({
      ...values,
      entity_id: entityId,
      name: name?.slice(0, MAX_TEXT) ?? null,
      reason: reason?.slice(0, MAX_TEXT) ?? null,
      created_at: Date.now(),
    })
    .onConflict((conflict) => conflict.columns(['entity_id', 'kind', 'source_key']).doNothing())
    .execute()
}

/** The keys of the objects that this import has dealt with before. */
export async function recordedKeys(
  database: Database,
  entityId: number,
  kind: string,
  keys: readonly string[],
): Promise<Set<string>> {
  if (keys.length === 0) return new Set()
  const rows = await database
    .selectFrom('bulk_import_item')
    .select('source_key')
    .where('entity_id', '=', entityId)
    .where('kind', '=', kind)
    .where('source_key', 'in', keys)
    .execute()
  return new Set(rows.map(({ source_key }) => source_key))
}

/** The copies that this import or earlier ones have made in the project, by the keys of their originals. */
export async function copiesOf(
  database: Database,
  { source_url }: Pick<BulkImport, 'source_url'>,
  { project_id, source_id }: Pick<BulkImportEntity, 'project_id' | 'source_id'>,
  kind: string,
  keys: readonly string[],
): Promise<Map<string, number>> {
  if (project_id === null || keys.length === 0) return new Map()
  const rows = await database
    .selectFrom('bulk_import_item')
    .innerJoin('bulk_import_entity', 'bulk_import_entity.id', 'bulk_import_item.entity_id')
    .innerJoin('bulk_import', 'bulk_import.id', 'bulk_import_entity.bulk_import_id')
    .select(['bulk_import_item.source_key', 'bulk_import_item.target_id'])
    .where('bulk_import_entity.project_id', '=', project_id)
    .where('bulk_import_entity.source_id', '=', source_id)
    .where('bulk_import.source_url', '=', source_url)
    .where('bulk_import_item.kind', '=', kind)
    .where('bulk_import_item.source_key', 'in', keys)
    .execute()
  return new Map(
    rows.flatMap(({ source_key, target_id }) => (target_id === null ? [] : [[source_key, target_id]])),
  )
}

export interface ItemCount {
  entity_id: number
  kind: string
  outcome: BulkImportOutcome
  count: number
}

/** Numbers of objects by entity, kind and outcome. */
export async function countItems(database: Database, entityIds: readonly number[]): Promise<ItemCount[]> {
  if (entityIds.length === 0) return []
  const rows = await database
    .selectFrom('bulk_import_item')
    .select(['entity_id', 'kind', 'outcome'])
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('id').as('first')])
    .where('entity_id', 'in', entityIds)
    .groupBy(['entity_id', 'kind', 'outcome'])
    .orderBy('first')
    .execute()
  return rows.map(({ first: _first, ...row }) => row)
}

/** The first objects that were not imported, with the reason. */
export function itemsWithReason(
  database: Database,
  entityIds: readonly number[],
  limit: number,
): Promise<BulkImportItem[]> {
  if (entityIds.length === 0) return Promise.resolve([])
  return database
    .selectFrom('bulk_import_item')
    .selectAll()
    .where('entity_id', 'in', entityIds)
    .where('reason', 'is not', null)
    .orderBy('entity_id')
    .orderBy('id')
    .limit(limit)
    .execute()
}

export function listFailures(
  database: Database,
  entityId: number,
  paging: Paging,
): Promise<Rows<BulkImportItem>> {
  const matching = database
    .selectFrom('bulk_import_item')
    .where('entity_id', '=', entityId)
    .where('reason', 'is not', null)
    .where('outcome', '=', 'failed')
  return listRows(database, matching, paging, { table: 'bulk_import_item', column: 'id', direction: 'asc' })
}

/** The entities that have something that could not be imported. */
export async function entitiesWithFailures(
  database: Database,
  entityIds: readonly number[],
): Promise<Set<number>> {
  if (entityIds.length === 0) return new Set()
  const rows = await database
    .selectFrom('bulk_import_item')
    .select('entity_id')
    .distinct()
    .where('entity_id', 'in', entityIds)
    .where('reason', 'is not', null)
    .where('outcome', '=', 'failed')
    .execute()
  return new Set(rows.map(({ entity_id }) => entity_id))
}
