import { MoveError } from './move-state.js'
import { MoveSource, type SourceRow } from './source.js'
import { MoveTarget, type Progress, type StoredRow, type TargetTable } from './target.js'
import { convert, isEqual, type Value } from './values.js'

/** Rows of one transaction. */
const MAX_ROWS = 2000
/** Length of the texts of one transaction. */
const MAX_LENGTH = 4 * 1024 * 1024

export interface MoveEvents {
  /** Called when rows of a table are in the target. */
  onRows?: (table: string, moved: number, all: number) => void
  /** Called when the rows are there, before indexes and foreign keys are created. */
  onIndexes?: () => void
  /** Called for each value in which characters were replaced that PostgreSQL cannot store. */
  onReplaced?: (place: string) => void
}

export interface MoveReport {
  tables: number
  rows: number
  /** Those that an earlier run has moved, which was interrupted. */
  earlierRows: number
}

/**
 * Moves all rows of a SQLite database into an empty database of PostgreSQL, and compares each row with what PostgreSQL has
 * stored. Continues a move that was interrupted. Search indexes are built again. Throws `MoveError`.
 *
 * @param file which no other process may have open
 * @param target its name for people, without a password
 */
export async function moveDatabase(
  file: string,
  { url, name }: { url: string; name: string },
  events: MoveEvents = {},
): Promise<MoveReport> {
  const source = MoveSource.open(file)
  try {
    source.checkSchema()
    const { id, isComplete } = source.beginMove(name)
    const target = await MoveTarget.open(url, id, { mayBegin: !isComplete })
    try {
      return await moveAll(source, target, events)
    } finally {
      await target.close()
    }
  } finally {
    source.close()
  }
}

/** Lets coordinators use the database of SQLite again. Moved data stays where it is. */
export function cancelMove(file: string): void {
  const source = MoveSource.open(file)
  try {
    source.cancelMove()
  } finally {
    source.close()
  }
}

async function moveAll(source: MoveSource, target: MoveTarget, events: MoveEvents): Promise<MoveReport> {
  const tables = await target.tables()
  checkTables(source, tables)
  let rows = 0
  let earlierRows = 0
  for (const table of tables) {
    const before = await target.progress(table.name)
    rows += await moveTable({ source, target, table, events, before })
    earlierRows += before.rows
  }
  events.onIndexes?.()
  const lastIds = new Map(
    tables.filter(({ hasSequence }) => hasSequence).map(({ name }) => [name, lastId(source, name)]),
  )
  // If the process ends here, neither of the two can be used, and the next run completes the target.
  source.completeMove()
  await target.complete(lastIds)
  return { tables: tables.length, rows, earlierRows }
}

/** Commit statuses take their IDs from those of jobs. */
function lastId(source: MoveSource, table: string): bigint {
  const own = source.lastId(table)
  if (table !== 'job') return own
  const others = source.lastId('commit_status')
  return own > others ? own : others
}

function checkTables(source: MoveSource, tables: readonly TargetTable[]): void {
  const names = tables.map(({ name }) => name)
  const differing = [...source.tables()].filter((name) => !names.includes(name))
  const lacking = names.filter((name) => !source.tables().has(name))
  for (const { name, columns } of tables) {
    const own = new Set(source.columns(name))
    if (own.size !== columns.length || !columns.every((column) => own.has(column.name))) differing.push(name)
  }
  if (differing.length + lacking.length === 0) return
  throw new MoveError(
    `These tables are not the same in the schemas of SQLite and PostgreSQL: ${[...differing, ...lacking].join(', ')}. ` +
      'Remove what was added to the database by hand, and run the command again.',
  )
}

interface TableMove {
  source: MoveSource
  target: MoveTarget
  table: TargetTable
  events: MoveEvents
  before: Progress
}

/** Returns the number of rows that the table has. */
async function moveTable({ source, target, table, events, before }: TableMove): Promise<number> {
  const { name } = table
  const all = source.count(name)
  let progress = before
  for (const { rows, lastRowid } of pagesOf(source, table, before.lastRowid, events)) {
    const after = { rows: progress.rows + rows.length, lastRowid }
    await target.insert(table, rows, {
      before: progress,
      after,
      check: (stored) => compare(table, rows, stored),
    })
    progress = after
    events.onRows?.(name, progress.rows, all)
  }
  const found = await target.count(name)
  if (found === all) return all
  throw new MoveError(`${name} has ${all} rows in SQLite and ${found} in PostgreSQL. ${BEGIN_AGAIN}`)
}

const BEGIN_AGAIN =
  'Run the command with --cancel, then again with another empty database; if that fails too, please report it.'

interface Page {
  rows: Value[][]
  lastRowid: bigint
}

function* pagesOf(
  source: MoveSource,
  table: TargetTable,
  after: bigint,
  events: MoveEvents,
): Generator<Page> {
  const columns = table.columns.map(({ name }) => name)
  let page: Value[][] = []
  let length = 0
  let lastRowid = after
  for (const row of source.rows(table.name, columns, after)) {
    const values = convertRow(table, row, events)
    page.push(values)
    for (const value of values) length += typeof value === 'string' ? value.length : 0
    lastRowid = row.rowid
    if (page.length < MAX_ROWS && length < MAX_LENGTH) continue
    yield { rows: page, lastRowid }
    page = []
    length = 0
  }
  if (page.length > 0) yield { rows: page, lastRowid }
}

function convertRow(
  { name, columns }: TargetTable,
  { rowid, values }: SourceRow,
  events: MoveEvents,
): Value[] {
  return columns.map((column, index) => {
    const value = values[index] ?? null
    const converted = convert(column.kind, value)
    const place = () => `${name}.${column.name} in the row with rowid ${rowid}`
    if (!converted) {
      throw new MoveError(
        `PostgreSQL cannot store ${place()}: its type is ${column.kind}. Correct it with the sqlite3 program, and run the ` +
          'command again.',
      )
    }
    if (converted.isReplaced) events.onReplaced?.(place())
    return converted.value
  })
}

function compare(
  { name, columns }: TargetTable,
  rows: readonly Value[][],
  stored: readonly StoredRow[],
): void {
  for (const [index, row] of rows.entries()) {
    const other = stored[index]
    const different = columns.find(
      ({ kind }, at) => !other || !isEqual(kind, row[at] ?? null, other[at] ?? null),
    )
    if (!different) continue
    const key = columns[0] && `${columns[0].name} ${row[0]}`
    throw new MoveError(
      `PostgreSQL stored another value than SQLite in ${name}.${different.name} of the row with ${key}. ${BEGIN_AGAIN}`,
    )
  }
  if (stored.length === rows.length) return
  throw new MoveError(`PostgreSQL stored ${stored.length} of ${rows.length} rows of ${name}. ${BEGIN_AGAIN}`)
}
