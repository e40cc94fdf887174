import { type Kysely, sql } from 'kysely'

import type { DialectName } from '../connect.js'

/**
 * Commit statuses share the ID sequence of jobs from now on, because both are listed together (API, E3).
 * Existing ones get IDs that no job has had.
 */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const top = dialect === 'sqlite' ? await topOfSqlite(db) : await topOfPostgres(db)
  await sql`update commit_status set id = id + ${top}`.execute(db)
  const { rows } = await sql<{ last: number | null }>`select max(id) as last from commit_status`.execute(db)
  const last = Math.max(top, rows[0]?.last ?? 0)
  await (
    dialect === 'sqlite'
      ? sql`update sqlite_sequence set seq = ${last} where name = 'job'`
      : sql`select setval(pg_get_serial_sequence('job', 'id'), ${last})`
  ).execute(db)
}

/** SQLite keeps the last ID of a table only after its first row. */
async function topOfSqlite(db: Kysely<unknown>): Promise<number> {
  await sql`insert into sqlite_sequence (name, seq)
    select 'job', 0 where not exists (select 1 from sqlite_sequence where name = 'job')`.execute(db)
  const { rows } = await sql<{ top: number }>`
    select max(seq) as top from sqlite_sequence where name in ('job', 'commit_status')`.execute(db)
  return rows[0]?.top ?? 0
}

async function topOfPostgres(db: Kysely<unknown>): Promise<number> {
  const { rows } = await sql<{ top: number }>`
    select greatest(
      nextval(pg_get_serial_sequence('job', 'id')),
      nextval(pg_get_serial_sequence('commit_status', 'id'))
    ) as top`.execute(db)
  return rows[0]?.top ?? 1
}
