import { groupBy } from '../../lib/group-by.js'
import type { Database } from '../database/connect.js'
import { isoTime } from '../http/presenters/present-time.js'
import { type BulkImportItem, countItems, entitiesWithFailures, type ItemCount } from './item-store.js'
import { destinationPath } from './run.js'
import type { BulkImport, Entity, Failure, ReportCount } from './schema.js'
import { type BulkImportEntity, entitiesOf, type BulkImport as ImportRow } from './store.js'

export async function presentImport(database: Database, row: ImportRow): Promise<BulkImport> {
  const { id, status, source_url, dry_run, error, created_at, updated_at } = row
  const entities = await entitiesOf(database, id)
  const failed = await entitiesWithFailures(
    database,
    entities.map((entity) => entity.id),
  )
  return {
    id,
    status,
    source_type: 'gitlab',
    source_url,
    dry_run,
    error,
    has_failures: error !== null || failed.size > 0 || entities.some((entity) => entity.error !== null),
    created_at: isoTime(created_at),
    updated_at: isoTime(updated_at),
  }
}

export async function presentEntities(
  database: Database,
  rows: readonly BulkImportEntity[],
): Promise<Entity[]> {
  const ids = rows.map(({ id }) => id)
  const counts = groupBy(await countItems(database, ids), ({ entity_id }) => entity_id)
  const failed = await entitiesWithFailures(database, ids)
  return rows.map((row) => presentEntity(row, countsOf(counts.get(row.id) ?? []), failed.has(row.id)))
}

function presentEntity(row: BulkImportEntity, counts: readonly ReportCount[], hasFailures: boolean): Entity {
  const { destination_slug, destination_namespace, created_at, updated_at } = row
  const { id, bulk_import_id, status, source_full_path, parent_id, project_id, step, error } = row
  return {
    id,
    bulk_import_id,
    status,
    entity_type: entityType(row),
    source_full_path,
    destination_full_path: destinationPath(row),
    destination_name: destination_slug,
    destination_slug,
    destination_namespace,
    parent_id,
    namespace_id: row.group_id,
    project_id,
    step,
    error,
    migrate_projects: row.migrate_projects,
    migrate_memberships: row.migrate_memberships,
    has_failures: hasFailures || error !== null,
    failures: [],
    stats: Object.fromEntries(
      counts.map(({ kind, imported, present, left_out, failed }) => {
        const source = imported + present + left_out + failed
        return [kind, { source, fetched: source, imported: imported + present }]
      }),
    ),
    created_at: isoTime(created_at),
    updated_at: isoTime(updated_at),
  }
}

export function entityType({ source_type }: Pick<BulkImportEntity, 'source_type'>): 'group' | 'project' {
  return source_type === 'group_entity' ? 'group' : 'project'
}

/** Numbers by kind, in the order of the import. */
export function countsOf(counts: readonly ItemCount[]): ReportCount[] {
  const byKind = new Map<string, ReportCount>()
  for (const { kind, outcome, count } of counts) {
    const sum = byKind.get(kind) ?? { kind, imported: 0, present: 0, left_out: 0, failed: 0 }
    sum[outcome] += count
    byKind.set(kind, sum)
  }
  return [...byKind.values()]
}

export function presentFailure(
  { source_url }: ImportRow,
  { kind, name, reason, created_at }: BulkImportItem,
): Failure {
  return {
    relation: kind,
    exception_class: 'BulkImportError',
    exception_message: reason ?? '',
    correlation_id_value: null,
    source_url,
    source_title: name,
    created_at: isoTime(created_at),
  }
}
