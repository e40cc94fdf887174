import { type RawBuilder, sql } from 'kysely'
import { describe, expect, test } from 'vitest'

import { connectDatabase, type Database } from '../../../src/coordinator/database/connect.js'
import { cancelMove, moveDatabase } from '../../../src/coordinator/database/move/move-database.js'
import { refuseMovedDatabase } from '../../../src/coordinator/database/move/move-state.js'
import { createEmptyPostgres, openPostgres, openSqlite } from '../../support/databases.js'
import { onFinished } from '../../support/lifetime.js'
import { testAtNight } from '../../support/nightly.js'
import { insertSomeRow, referencesOf } from '../support/fill-tables.js'

/** Tables with rows that belong either to a project or to a group. */
const OF_ONE = ['access_request', 'invitation', 'member', 'old_path', 'share']
const LEFT_OUT = /^sqlite_|^kysely_|_text(_|$)|^coordinator$|^database_move/

/** A database of SQLite with a row in each table, and the file, once nobody has it open. */
async function filledSource(change: (database: Database) => Promise<unknown> = () => Promise.resolve()) {
  const { settings, database } = await openSqlite()
  if (settings.dialect !== 'sqlite') throw new TypeError('SQLite was opened')
  const tables = (await tablesOf(database)).filter((name) => !LEFT_OUT.test(name))
  await database.connection().execute(async (connection) => {
    // Each row refers to those with the ID 1, which the other tables get in any order.
    await sql`pragma foreign_keys = off`.execute(connection)
    const references = await referencesOf(connection)
    const ids = Object.fromEntries(tables.map((name) => [name, 1]))
    for (const table of tables) {
      const without = OF_ONE.includes(table) ? ['namespace'] : []
      await sql`delete from ${sql.table(table)}`.execute(connection)
      await insertSomeRow(connection, table, ids, { references, without })
    }
    await sql`pragma foreign_keys = on`.execute(connection)
  })
  await change(database)
  const content = await contentOf(database, tables)
  const close = () => database.destroy()
  return { file: settings.file, tables, content, database, close }
}

async function tablesOf(database: Database): Promise<string[]> {
  return (await database.introspection.getTables()).map(({ name }) => name).toSorted()
}

/** All rows as the coordinator reads them, in the same order for both databases. */
async function contentOf(database: Database, tables: readonly string[]): Promise<Record<string, string[]>> {
  const content: Record<string, string[]> = {}
  for (const table of tables) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(database)
    content[table] = rows.map((row) => JSON.stringify(inOrder(row))).toSorted()
  }
  return content
}

/** PostgreSQL orders the keys of objects itself. */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(inOrder)
  const entries = Object.entries(value).map(([key, each]) => [key, inOrder(each)] as const)
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

async function emptyTarget() {
  const url = await createEmptyPostgres()
  const database = connectDatabase({ dialect: 'postgres', url })
  onFinished(() => database.destroy())
  return { database, to: { url, name: 'the target' } }
}

/** Indexes and constraints. */
async function rulesOf(database: Database): Promise<unknown[]> {
  const { rows } = await sql`
    select indexdef as rule from pg_indexes where schemaname = 'public'
    union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
      where connamespace = 'public'::regnamespace
    order by rule`.execute(database)
  return rows
}

const JSON_VALUE = {
  b: [1, 2.5, 1e21, null, true],
  a: { 'ключ "x"': 'line 1\nline 2', path: 'C:\\u0000 is no NUL' },
}

describe('a move from SQLite to PostgreSQL', () => {
  test('brings every value, index and constraint, and the IDs of new rows', async () => {
    const source = await filledSource(async (rows) => {
      await sql`update job set coverage = ${0.1 + 0.2}, options = ${JSON.stringify(JSON_VALUE)},
        yaml_variables = ${String.raw`[{"key":"\u0000\ud800","value":"\ud83d\ude00"}]`}`.execute(rows)
      await rows.updateTable('user').set({ name: 'Zoë 👩‍🚀 \\ "', email: '' }).execute()
      await sql`update project set storage_size = 9007199254740993, description = ${'a\0b'}`.execute(rows)
      await sql`update application_setting set value = 'null'`.execute(rows)
      await sql`insert into runner (id, runner_type, token_digest, tag_list, created_at)
        values (40, 'instance_type', 'd', '[]', 1)`.execute(rows)
      await sql`delete from runner where id = 40`.execute(rows)
      await sql`update commit_status set id = 70, coverage = 1e-7`.execute(rows)
      await rows.deleteFrom('badge').execute()
      await sql`delete from sqlite_sequence where name = 'badge'`.execute(rows)
    })
    await source.close()
    const { database, to } = await emptyTarget()
    const replaced: string[] = []
    const report = await moveDatabase(source.file, to, { onReplaced: (place) => replaced.push(place) })

    const all = source.tables.length
    expect(report).toEqual({ tables: all, rows: all - 1, earlierRows: 0 })
    expect(replaced).toEqual([
      'job.yaml_variables in the row with rowid 1',
      'project.description in the row with rowid 1',
    ])
    const { job = [], project = [] } = source.content
    expect(await contentOf(database, source.tables)).toEqual({
      ...source.content,
      job: job.map((row) => row.replace(String.raw`\u0000\ud800`, '��')),
      project: project.map((row) => row.replace(String.raw`a\u0000b`, 'a�b')),
    })
    expect(Object.values(source.content).flat()).toHaveLength(all - 1)
    expect(await rowsOf(database, sql`select storage_size::text from project`)).toEqual([
      { storage_size: '9007199254740993' },
    ])
    expect(await rowsOf(database, sql`select value::text from application_setting`)).toEqual([
      { value: 'null' },
    ])

    const next = (table: string) => sql`select nextval(pg_get_serial_sequence(${table}, 'id')) as id`
    expect(await rowsOf(database, next('runner'))).toEqual([{ id: 41 }])
    // Commit statuses take their IDs from those of jobs.
    expect(await rowsOf(database, next('job'))).toEqual([{ id: 71 }])
    expect(await rowsOf(database, next('badge'))).toEqual([{ id: 1 }])
    const { database: migrated } = await openPostgres()
    expect(await rulesOf(database)).toEqual(await rulesOf(migrated))
    expect(await tablesOf(database)).toEqual(await tablesOf(migrated))
  })

  testAtNight('continues where it was interrupted; no coordinator starts until it is complete', async () => {
    const source = await filledSource((rows) => sql`update job set created_at = 1.5`.execute(rows))
    await source.close()
    const { database, to } = await emptyTarget()
    const killed = new Error('killed')
    const stop = () => {
      throw killed
    }
    let calls = 0
    const onRows = () => (++calls === 3 ? stop() : undefined)
    await sql`create table something (id integer)`.execute(database)
    await expect(moveDatabase(source.file, to)).rejects.toThrow(/has tables already/)
    await sql`drop table something`.execute(database)
    await expect(moveDatabase(source.file, to, { onRows })).rejects.toBe(killed)
    await expect(moveDatabase(source.file, to)).rejects.toThrow(
      'PostgreSQL cannot store job.created_at in the row with rowid 1: its type is int8.',
    )
    await using(source.file, (opened) => sql`update job set created_at = 1`.execute(opened))
    await expect(moveDatabase(source.file, to, { onIndexes: stop })).rejects.toBe(killed)
    await expect(refuseMovedDatabase(database, 'postgres')).rejects.toThrow(/is not complete/)
    await using(source.file, (opened) =>
      expect(refuseMovedDatabase(opened, 'sqlite')).rejects.toThrow(/to the target is not complete/),
    )

    const all = source.tables.length
    expect(await moveDatabase(source.file, to)).toEqual({ tables: all, rows: all, earlierRows: all })
    expect(await contentOf(database, source.tables)).toEqual({
      ...source.content,
      job: source.content['job']?.map((row) => row.replace('"created_at":1.5', '"created_at":1')),
    })
    await refuseMovedDatabase(database, 'postgres')
    await expect(moveDatabase(source.file, to)).rejects.toThrow(/has moved already/)
    await using(source.file, (opened) =>
      expect(refuseMovedDatabase(opened, 'sqlite')).rejects.toThrow(/has moved to the target/),
    )

    cancelMove(source.file)
    await using(source.file, (opened) => refuseMovedDatabase(opened, 'sqlite'))
    await expect(moveDatabase(source.file, to)).rejects.toThrow(/has tables already/)
  })

  testAtNight(
    'is refused while another process has the source open, and when its schema is another one',
    async () => {
      const { settings, database } = await openSqlite()
      const { file } = settings as { file: string }
      const to = { url: 'postgres://127.0.0.1:1/none', name: 'the target' }
      await expect(moveDatabase(file, to)).rejects.toThrow(/Another process has .* open/)
      await sql`insert into kysely_migration values ('9999-later', '2030-01-01')`.execute(database)
      await database.destroy()
      await expect(moveDatabase(file, to)).rejects.toThrow(/schema of another version/)
      await using(file, (opened) =>
        sql`delete from kysely_migration where name <> '9999-later'`.execute(opened),
      )
      await expect(moveDatabase(file, to)).rejects.toThrow(
        `The database ${file} was made by an unreleased commit of Switchyard (its last migration is 9999-later)`,
      )
      await expect(moveDatabase(`${file}-other`, to)).rejects.toThrow(/does not exist/)
    },
  )
})

async function rowsOf(database: Database, query: RawBuilder<unknown>): Promise<unknown[]> {
  return (await query.execute(database)).rows
}

/** As long as it is open, the file cannot be moved. */
async function using<T>(file: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = connectDatabase({ dialect: 'sqlite', file })
  try {
    return await work(database)
  } finally {
    await database.destroy()
  }
}
