import { type RawBuilder, sql, type SqlBool } from 'kysely'

import type { Database } from '../../database/connect.js'
import { dialectOf } from '../../database/dialect.js'
import { anyContainsText } from '../../database/text.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'

/** Tables whose titles and descriptions are indexed. */
export type IndexedTable = 'issue' | 'merge_request'

/** Characters of an entry of the index. */
const PART = 3

/** With more rows to read, a search in the order of the list fills its page sooner. */
const MAX_CANDIDATES = 5000

/**
 * Conditions that leave few rows of the table and lose none that contain the text in title or description: an index finds
 * them. None if the text is common, or too short for the index.
 */
export async function textCandidates(
  database: Database,
  table: IndexedTable,
  { search, in: places }: { search?: string; in?: string },
): Promise<RawBuilder<SqlBool>[]> {
  if (!search) return []
  // A search in all places has this condition anyway.
  if (dialectOf(database) !== 'sqlite') return places === undefined ? [] : [containsInAll(table, search)]
  const wanted = searchTerms(search)
  if (wanted === undefined) return []
  const index = sql.table(`${table}_text`)
  const ids = sql`select rowid from ${index} where ${index} match ${wanted}
    union all select abs(id) from ${sql.table(`${table}_text_due`)}`
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (${ids} limit ${sql.lit(MAX_CANDIDATES + 1)})`.execute(database)
  const isRare = (rows[0]?.total ?? 0) <= MAX_CANDIDATES
  return isRare ? [sql<SqlBool>`${sql.ref(`${table}.id`)} in (${ids})`] : []
}

/** The expression that PostgreSQL has an index of, if it has one. */
function containsInAll(table: IndexedTable, text: string): RawBuilder<SqlBool> {
  const columns = [sql.ref(`${table}.title`), sql`coalesce(${sql.ref(`${table}.description`)}, '')`]
  return sql<SqlBool>`${anyContainsText(columns, text)}`
}

/** The parts of the text as a query of the index, which ignores case; undefined if there are none. */
function searchTerms(text: string): string | undefined {
  // As `anyContainsText` does. A character that ends the query of the index cannot be asked for.
  const characters = Array.from(text.replaceAll('\n', ' '))
  if (characters.length < PART || characters.includes('\0')) return undefined
  const parts = characters.slice(PART - 1).map((_, at) => characters.slice(at, at + PART).join(''))
  return [...new Set(parts)].map((part) => `"${part.replaceAll('"', '""')}"`).join(' AND ')
}

/** Most rows, and about the most characters, that are indexed at once, because SQLite serves no other query during that time. */
const ROWS_AT_ONCE = 100
const CHARACTERS_AT_ONCE = 30_000

/**
 * Longer descriptions are not indexed: one of a million different parts takes 15 seconds. They stay candidates of every
 * search, with the negative ID, which says that nothing is due.
 */
const MAX_INDEXED = 20_000

/** Brings the indexes of SQLite up to date. PostgreSQL does that itself. */
export async function indexDueTexts(database: Database, signal: AbortSignal): Promise<void> {
  if (dialectOf(database) !== 'sqlite') return
  for (const table of ['issue', 'merge_request'] as const) {
    while (!signal.aborted) {
      const due = await dueRows(database, table)
      if (due.length === 0) break
      await inTransaction(database, (tx) => indexTexts(tx, table, due))
    }
  }
}

interface DueRow {
  id: number
  /** Of the description; 0 if the row is deleted. */
  length: number
}

/** Changed and deleted rows, as many as are indexed at once. */
async function dueRows(database: Database, table: IndexedTable): Promise<DueRow[]> {
  const [row, due] = [sql.table(table), sql.table(`${table}_text_due`)]
  const { rows } = await sql<DueRow>`
    select due.id, coalesce(length(its.description), 0) as length
      from (select id from ${due} where id > 0 order by id limit ${sql.lit(ROWS_AT_ONCE)}) as due
      left join ${row} as its on its.id = due.id order by due.id`.execute(database)
  let characters = 0
  return rows.filter(({ length }, at) => {
    if (length <= MAX_INDEXED) characters += length
    return at === 0 || characters <= CHARACTERS_AT_ONCE
  })
}

async function indexTexts(tx: Transaction, table: IndexedTable, due: readonly DueRow[]): Promise<void> {
  const these = sql`(${sql.join(due.map(({ id }) => id))})`
  const marks = sql`(${sql.join(due.flatMap(({ id }) => [id, -id]))})`
  const isLong = sql`coalesce(length(description), 0) > ${sql.lit(MAX_INDEXED)}`
  const text = sql`title || char(10) || coalesce(description, '')`
  switch (table) {
    case 'issue':
      await sql`delete from issue_text where rowid in ${these}`.execute(tx)
      await sql`delete from issue_text_due where id in ${marks}`.execute(tx)
      await sql`insert into issue_text (rowid, text)
        select id, ${text} from issue where id in ${these} and not ${isLong}`.execute(tx)
      await sql`insert into issue_text_due select -id from issue where id in ${these} and ${isLong}`.execute(
        tx,
      )
      return
    case 'merge_request':
      await sql`delete from merge_request_text where rowid in ${these}`.execute(tx)
      await sql`delete from merge_request_text_due where id in ${marks}`.execute(tx)
      await sql`insert into merge_request_text (rowid, text)
        select id, ${text} from merge_request where id in ${these} and not ${isLong}`.execute(tx)
      await sql`insert into merge_request_text_due
        select -id from merge_request where id in ${these} and ${isLong}`.execute(tx)
  }
}
