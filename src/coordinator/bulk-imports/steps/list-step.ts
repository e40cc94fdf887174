import type { Static, TObject } from 'typebox'

import type { Transaction } from '../../database/transaction.js'
import { ApiError } from '../../http/errors.js'
import { SourceRecordError, UnavailableError } from '../errors.js'
import { copiesOf, insertItem, type NewItem, recordedKeys } from '../item-store.js'
import { apiPath, type EntityRun, record, type Step } from '../run.js'
import { nameIn, problemIn, sourceReader } from '../source/records.js'

/** What becomes of a record. */
export type Outcome = Pick<NewItem, 'outcome' | 'reason'>

const IMPORTED: Outcome = { outcome: 'imported' }
export const PRESENT: Outcome = { outcome: 'present' }

/** How records of one kind are imported. */
export interface RecordDeclaration<Value> {
  /** Name of the kind in the report. */
  kind: string
  /** Identifies a record on the source. */
  keyOf: (value: Value) => string | number
  /** For the report. */
  nameOf: (value: Value) => string
  /** What is clear without a change; undefined if the record is to be written. */
  decide?: (run: EntityRun, value: Value) => Promise<Outcome | undefined>
  /**
   * Creates the copy. Throws `ApiError` for a record that cannot be imported. `onWritten` records the copy in the transaction
   * that creates it, so that neither a kill nor another import makes a second one.
   */
  write?: (run: EntityRun, value: Value, onWritten: OnWritten) => Promise<void>
}

type OnWritten = (tx: Transaction, id: number) => Promise<void>

/** A list of the source whose records are imported. The step has the name of the kind. */
export interface ListDeclaration<Schema extends TObject> extends RecordDeclaration<Static<Schema>> {
  /** The list below the group or project, with its parameters. */
  path: string
  schema: Schema
  /** Called for the records of a page when they are written; not in a dry run. */
  afterPage?: (run: EntityRun, values: Static<Schema>[]) => Promise<void>
  /** Called after the last page; not in a dry run. */
  finish?: (run: EntityRun) => Promise<void>
}

/** A step that imports a list, page by page. A list that the source does not serve is left out. */
export function listStep<Schema extends TObject>(declaration: ListDeclaration<Schema>): Step {
  const read = sourceReader(declaration.schema)
  const { kind } = declaration
  return {
    name: kind,
    run: async (run) => {
      if (run.entity.position !== AT_END) await importList(run, declaration, read)
      if (!run.bulkImport.dry_run) await declaration.finish?.(run)
    },
  }
}

/** The position behind the last page. */
const AT_END = '-'

async function importList<Schema extends TObject>(
  run: EntityRun,
  declaration: ListDeclaration<Schema>,
  read: (value: unknown) => Static<Schema>,
): Promise<void> {
  const { kind, path } = declaration
  try {
    for await (const { records, next } of run.client.list(`${apiPath(run)}/${path}`, run.entity.position)) {
      await importPage(run, declaration, read, records)
      await run.checkpoint({ step: kind, position: next ?? AT_END })
    }
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error
    await record(run, { kind, source_key: '*', outcome: 'left_out', reason: error.message })
  }
}

async function importPage<Schema extends TObject>(
  run: EntityRun,
  declaration: ListDeclaration<Schema>,
  read: (value: unknown) => Static<Schema>,
  values: readonly unknown[],
): Promise<void> {
  const records: Static<Schema>[] = []
  for (const [index, value] of values.entries()) {
    try {
      records.push(read(value))
    } catch (error) {
      if (!(error instanceof SourceRecordError)) throw error
      const item = { source_key: `${run.entity.position ?? ''}#${index}`, name: nameIn(value) }
      await record(run, { kind: declaration.kind, ...item, outcome: 'failed', reason: error.message })
    }
  }
  await importRecords<Static<Schema>>(run, declaration, records)
  if (!run.bulkImport.dry_run) await declaration.afterPage?.(run, records)
}

/** Imports records that were read, except those that this import has dealt with before. */
export async function importRecords<Value>(
  run: EntityRun,
  declaration: RecordDeclaration<Value>,
  records: readonly Value[],
): Promise<void> {
  const { deps, entity, bulkImport } = run
  const { kind, keyOf, nameOf } = declaration
  const keys = records.map((one) => String(keyOf(one)))
  const recorded = await recordedKeys(deps.database, entity.id, kind, keys)
  const copies = await copiesOf(deps.database, bulkImport, entity, kind, keys)
  for (const [index, one] of records.entries()) {
    const source_key = keys[index] ?? ''
    if (recorded.has(source_key)) continue
    run.signal.throwIfAborted()
    const item = { kind, source_key, name: nameOf(one) }
    const outcome = copies.has(source_key) ? PRESENT : await outcomeOf(run, declaration, one, item)
    await record(run, { ...item, ...outcome })
  }
}

async function outcomeOf<Value>(
  run: EntityRun,
  { decide, write }: RecordDeclaration<Value>,
  one: Value,
  item: Pick<NewItem, 'kind' | 'source_key' | 'name'>,
): Promise<Outcome> {
  try {
    const decided = await decide?.(run, one)
    if (decided) return decided
    if (run.bulkImport.dry_run) return IMPORTED
    await write?.(run, one, (tx, target_id) =>
      insertItem(tx, run.entity.id, { ...item, outcome: 'imported', target_id }),
    )
    return IMPORTED
  } catch (error) {
    if (error instanceof SourceRecordError) return { outcome: 'failed', reason: error.message }
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    return { outcome: 'failed', reason: problemIn(error) }
  }
}
