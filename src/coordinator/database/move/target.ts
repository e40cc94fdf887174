import { sql } from 'kysely'

import { connectDatabase, type Database } from '../connect.js'
import { migrate } from '../migrate.js'
import { isEmptyPostgres } from '../postgres-copy.js'
import { MOVE, MoveError } from './move-state.js'
import { type Kind, kindOf, toJson, type Value } from './values.js'

const TABLES = `${MOVE}_table`
const STEPS = `${MOVE}_step`
const OWN = [MOVE, TABLES, STEPS]

interface TargetColumn {
  name: string
  kind: Kind
}

export interface TargetTable {
  name: string
  columns: TargetColumn[]
  /** Whether PostgreSQL gives its IDs. */
  hasSequence: boolean
}

export interface Progress {
  rows: number
  /** Of the source; 0 before the first row. */
  lastRowid: bigint
}

/** What PostgreSQL prints for each column. */
export type StoredRow = (string | null)[]

/** The database of PostgreSQL that is filled. It records what it has, in the transactions that add it. */
export class MoveTarget {
  private constructor(
    private readonly database: Database,
    private readonly url: string,
  ) {}

  /**
   * Begins to fill an empty database, or continues. Throws `MoveError` if it has tables that this move has not created.
   */
  static async open(url: string, id: string, { mayBegin }: { mayBegin: boolean }): Promise<MoveTarget> {
    if (mayBegin && (await isEmptyPostgres(url)))
      await withDatabase(url, (database) => createOwnTables(database, id))
    const database = connectDatabase({ dialect: 'postgres', url })
    try {
      await requireMove(database, id, mayBegin)
      const target = new MoveTarget(database, url)
      if (!(await target.isPrepared())) await target.prepare()
      return target
    } catch (error) {
      await database.destroy()
      throw error
    }
  }

  close(): Promise<void> {
    return this.database.destroy()
  }

  async tables(): Promise<TargetTable[]> {
    const { rows } = await sql<{ name: string; column: string; type: string; identity: boolean }>`
      select table_name as name, column_name as "column", data_type as type, is_identity = 'YES' as identity
      from information_schema.columns join information_schema.tables using (table_schema, table_name)
      where table_schema = current_schema and table_type = 'BASE TABLE'
      order by table_name, ordinal_position`.execute(this.database)
    const tables = new Map<string, TargetTable>()
    for (const { name, column, type, identity } of rows) {
      if (isLeftOut(name)) continue
      const kind = kindOf(type)
      if (!kind) throw new TypeError(`${name}.${column} has the type ${type}, which is not moved`)
      const table = tables.get(name) ?? { name, columns: [], hasSequence: false }
      tables.set(name, table)
      table.columns.push({ name: column, kind })
      table.hasSequence ||= identity
    }
    return [...tables.values()]
  }

  async progress(table: string): Promise<Progress> {
    return readProgress(this.database, table)
  }

  /**
   * Adds rows, and calls `check` with them as they are stored, in the same order. Throws `MoveError` if another process has added
   * rows since `before`.
   */
  async insert(
    { name, columns }: TargetTable,
    rows: readonly (readonly Value[])[],
    { before, after, check }: { before: Progress; after: Progress; check: (stored: StoredRow[]) => void },
  ): Promise<void> {
    const names = columns.map((column) => sql.ref(column.name))
    // A JSON column arrives as text: PostgreSQL would read the JSON value null as no value.
    const types = columns.map(
      ({ kind }, index) => sql`${names[index]} ${sql.raw(kind === 'jsonb' ? 'text' : kind)}`,
    )
    const casts = columns.map(({ kind }, index) => sql`${names[index]}::${sql.raw(kind)}`)
    const printed = columns.map((_, index) => sql`${names[index]}::text`)
    await this.database.transaction().execute(async (tx) => {
      // The progress is lost together with the rows.
      await sql`set local synchronous_commit = off`.execute(tx)
      // A process that was killed may still commit what it had sent.
      const found = await readProgress(tx, name, sql`for update`)
      if (found.lastRowid !== before.lastRowid) {
        throw new MoveError('Another process moves the same database. End it, and run the command again.')
      }
      const { rows: stored } = await sql<{ row: StoredRow }>`
        insert into ${sql.table(name)} (${sql.join(names)})
        select ${sql.join(casts)} from json_to_recordset(${toRecords(columns, rows)}::json) as source(${sql.join(types)})
        returning json_build_array(${sql.join(printed)}) as row`.execute(tx)
      check(stored.map(({ row }) => row))
      await sql`
        update ${sql.table(TABLES)} set moved_rows = ${after.rows}, last_rowid = ${after.lastRowid.toString()}::bigint
        where name = ${name}`.execute(tx)
    })
  }

  async count(table: string): Promise<number> {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(
      this.database,
    )
    return rows[0]?.count ?? 0
  }

  /** Creates indexes and foreign keys, and sets the next IDs. Coordinators may use the database then. */
  async complete(lastIds: ReadonlyMap<string, bigint>): Promise<void> {
    await this.database.transaction().execute(async (tx) => {
      const { rows } = await sql<{ statement: string }>`
        select statement from ${sql.table(STEPS)} order by position`.execute(tx)
      for (const { statement } of rows) await sql.raw(statement).execute(tx)
      for (const [table, last] of lastIds) {
        await sql`
          select setval(pg_get_serial_sequence(quote_ident(${table}), 'id'), greatest(${last.toString()}::bigint, 1),
            ${last > 0n})`.execute(tx)
      }
      for (const own of OWN) await tx.schema.dropTable(own).execute()
    })
    // Without statistics, the first queries would have bad plans.
    await sql`analyze`.execute(this.database)
  }

  private async isPrepared(): Promise<boolean> {
    const { rows } = await sql<{ prepared: boolean }>`select prepared from ${sql.table(MOVE)}`.execute(
      this.database,
    )
    return rows[0]?.prepared ?? false
  }

  /**
   * Creates the tables. Indexes and foreign keys wait for the rows: rows refer to others that come later, and to build
   * an index at once is faster.
   */
  private async prepare(): Promise<void> {
    await migrate(this.database, { dialect: 'postgres', url: this.url })
    const tables = await this.tables()
    await this.database.transaction().execute(async (tx) => {
      const { rows: steps } = await sql<{ drop: string; create: string }>`
        select format('drop index %s', indexrelid::regclass) as "drop", pg_get_indexdef(indexrelid) as "create"
        from pg_index join pg_class on pg_class.oid = indexrelid
        where relnamespace = current_schema::regnamespace
          and not exists (select from pg_constraint where conindid = indexrelid)
        union all
        select format('alter table %s drop constraint %I', conrelid::regclass, conname),
          format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
        from pg_constraint where contype = 'f' and connamespace = current_schema::regnamespace`.execute(tx)
      for (const step of steps) await sql.raw(step.drop).execute(tx)
      const numbered = steps.map(({ create }, position) => sql`(${position}::integer, ${create})`)
      await sql`insert into ${sql.table(STEPS)} values ${sql.join(numbered)}`.execute(tx)
      const names = tables.map(({ name }) => name)
      // Migrations add rows, which the source has too.
      await sql`truncate table ${sql.join(names.map((name) => sql.table(name)))}`.execute(tx)
      const none = names.map((name) => sql`(${name}, 0, 0)`)
      await sql`insert into ${sql.table(TABLES)} values ${sql.join(none)}`.execute(tx)
      await sql`update ${sql.table(MOVE)} set prepared = true`.execute(tx)
    })
  }
}

/** Tables that the target has itself: this move, migrations, and processes that run. */
function isLeftOut(table: string): boolean {
  return OWN.includes(table) || table.startsWith('kysely_') || table === 'coordinator'
}

async function createOwnTables(database: Database, id: string): Promise<void> {
  await database.transaction().execute(async (tx) => {
    await sql`create table ${sql.table(MOVE)} (id text primary key, prepared boolean not null)`.execute(tx)
    await sql`create table ${sql.table(TABLES)} (
      name text primary key, moved_rows bigint not null, last_rowid bigint not null)`.execute(tx)
    await sql`create table ${sql.table(STEPS)} (position integer primary key, statement text not null)`.execute(
      tx,
    )
    await sql`insert into ${sql.table(MOVE)} values (${id}, false)`.execute(tx)
  })
}

async function requireMove(database: Database, id: string, mayBegin: boolean): Promise<void> {
  const { rows: found } = await sql`select 1 where to_regclass(${MOVE}) is not null`.execute(database)
  const { rows } =
    found.length > 0
      ? await sql<{ id: string }>`select id from ${sql.table(MOVE)}`.execute(database)
      : { rows: [] }
  if (rows[0]?.id === id) return
  throw new MoveError(
    mayBegin
      ? 'The target has tables already. Name an empty database (createdb) with --to.'
      : 'This installation has moved already. To move its state before that again, run the command with --cancel first.',
  )
}

async function readProgress(database: Database, table: string, lock = sql``): Promise<Progress> {
  const { rows } = await sql<{ moved_rows: number; last_rowid: string }>`
    select moved_rows, last_rowid::text from ${sql.table(TABLES)} where name = ${table} ${lock}`.execute(
    database,
  )
  const [row] = rows
  if (!row) throw new TypeError(`No progress is recorded for ${table}`)
  return { rows: row.moved_rows, lastRowid: BigInt(row.last_rowid) }
}

function toRecords(columns: readonly TargetColumn[], rows: readonly (readonly Value[])[]): string {
  const keys = columns.map(({ name }) => JSON.stringify(name))
  const records = rows.map(
    (row) => `{${row.map((value, index) => `${keys[index]}:${toJson(value)}`).join()}}`,
  )
  return `[${records.join()}]`
}

async function withDatabase(url: string, work: (database: Database) => Promise<void>): Promise<void> {
  const database = connectDatabase({ dialect: 'postgres', url })
  try {
    await work(database)
  } finally {
    await database.destroy()
  }
}
