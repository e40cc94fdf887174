import { groupBy } from '../../lib/group-by.js'
import type { Database } from '../database/connect.js'
import { countItems, itemsWithReason } from './item-store.js'
import { countsOf, entityType, presentImport } from './present.js'
import { destinationPath } from './run.js'
import type { Report, ReportCount } from './schema.js'
import { NEVER_IMPORTED } from './steps/steps.js'
import { type BulkImport, entitiesOf } from './store.js'

/** Number of objects that a report names. */
const MAX_ITEMS = 2000

/** What was imported, was there already, or was left out and why. */
export async function reportOn(database: Database, row: BulkImport): Promise<Report> {
  const entities = await entitiesOf(database, row.id)
  const ids = entities.map(({ id }) => id)
  const counts = await countItems(database, ids)
  const byEntity = groupBy(counts, ({ entity_id }) => entity_id)
  const items = await itemsWithReason(database, ids, MAX_ITEMS + 1)
  return {
    ...(await presentImport(database, row)),
    totals: countsOf(counts),
    entities: entities.map((entity) => ({
      id: entity.id,
      entity_type: entityType(entity),
      source_full_path: entity.source_full_path,
      destination_full_path: destinationPath(entity),
      status: entity.status,
      step: entity.step,
      error: entity.error,
      counts: countsOf(byEntity.get(entity.id) ?? []),
    })),
    items: items.slice(0, MAX_ITEMS).map(({ entity_id, kind, name, outcome, reason }) => {
      return { entity_id, kind, name, outcome, reason: reason ?? '' }
    }),
    has_more_items: items.length > MAX_ITEMS,
    never_imported: NEVER_IMPORTED,
  }
}

/** The report as text for people, line by line. */
export function* reportText(report: Report): Generator<string> {
  const { id, source_url, status, dry_run, error, totals, entities, items } = report
  yield `Import ${id} from ${source_url}: ${status}${dry_run ? ' (dry run: nothing was changed)' : ''}\n`
  if (error !== null) yield `Error: ${error}\n`
  yield '\nTotal\n'
  yield* totals.map(countLine)
  const byEntity = groupBy(items, ({ entity_id }) => entity_id)
  for (const entity of entities) {
    const { source_full_path: source, destination_full_path: destination } = entity
    yield `\n${entity.entity_type} ${source} -> ${destination}: ${entity.status}\n`
    if (entity.error !== null) yield `  Error: ${entity.error}\n`
    yield* entity.counts.map(countLine)
    for (const { kind, name, outcome, reason } of byEntity.get(entity.id) ?? []) {
      yield `  ${outcome === 'failed' ? 'not imported' : 'left out'}: ${kind}${name === null ? '' : ` ${oneLine(name)}`}: ${oneLine(reason)}\n`
    }
  }
  if (report.has_more_items) yield `\nOnly the first ${MAX_ITEMS} objects are named.\n`
  yield '\nNever imported\n'
  yield* report.never_imported.map((what) => `  ${what}\n`)
}

function countLine({ kind, imported, present, left_out, failed }: ReportCount): string {
  const counts = [
    ...(imported > 0 ? [`${imported} imported`] : []),
    ...(present > 0 ? [`${present} already there`] : []),
    ...(left_out > 0 ? [`${left_out} left out`] : []),
    ...(failed > 0 ? [`${failed} not imported`] : []),
  ]
  return `  ${kind}: ${counts.join(', ')}\n`
}

/** Names come from the source; none may pretend to be another line of the report. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
}
