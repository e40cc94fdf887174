import { execa, ExecaError } from 'execa'
import { sql } from 'kysely'

import { SwitchyardError } from '../../lib/errors.js'
import { isInstalled } from '../../lib/is-installed.js'
import { connectDatabase, type Database } from './connect.js'
import type { RecordedSchema } from './released-schema.js'

class PostgresProgramError extends SwitchyardError {
  readonly name = 'PostgresProgramError'
  readonly code = 'POSTGRES_PROGRAM'
}

/** How long to wait for transactions that have begun a push. */
const LOCK_TIMEOUT = '30s'

/**
 * Copies the database of running coordinators as it is at one moment, in which `whileHeld` runs: no push begins then. It
 * must be brief. `use` reads the rows of that moment afterwards.
 */
export async function copyPostgres<T, U>(
  url: string,
  copy: string,
  { whileHeld, use }: { whileHeld: (rows: Database) => Promise<T>; use: (rows: Database) => Promise<U> },
): Promise<{ held: T; used: U }> {
  await requireProgram('pg_dump')
  const database = connectDatabase({ dialect: 'postgres', url })
  try {
    const rows = await database
      .startTransaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute()
    try {
      const { held, snapshot } = await holding(database, async () => {
        // The first statement of the transaction is the moment.
        const { rows: found } = await sql<{ id: string }>`select pg_export_snapshot() as id`.execute(rows)
        return { held: await whileHeld(rows), snapshot: found[0]?.id ?? '' }
      })
      await runProgram('pg_dump', url, [
        ...['--format=custom', '--no-owner', '--no-privileges'],
        ...[`--snapshot=${snapshot}`, `--file=${copy}`],
      ])
      return { held, used: await use(rows) }
    } finally {
      await rows.rollback().execute()
    }
  } finally {
    await database.destroy()
  }
}

async function holding<T>(database: Database, work: () => Promise<T>): Promise<T> {
  return database.transaction().execute(async (holder) => {
    await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(holder)
    await sql`lock table push in share mode`.execute(holder)
    return work()
  })
}

/** Fills an empty database with a copy, in one transaction. */
export async function restorePostgres(url: string, copy: string): Promise<void> {
  await requireProgram('pg_restore')
  await runProgram('pg_restore', url, [
    ...['--no-owner', '--no-privileges', '--single-transaction', '--exit-on-error'],
    copy,
  ])
}

/** What `pg_restore` finds wrong in the list of a copy; empty if it can be read. */
export async function problemsOfPostgresCopy(copy: string): Promise<string[]> {
  await requireProgram('pg_restore')
  try {
    await execa('pg_restore', ['--list', copy], { stdout: 'ignore' })
    return []
  } catch (error) {
    if (!(error instanceof ExecaError)) throw error
    return [reasonOf(error as Reported)]
  }
}

/** The tables and migrations of a copy. */
export async function readSchemaOfPostgresCopy(copy: string): Promise<RecordedSchema> {
  await requireProgram('pg_restore')
  const { stdout: list } = await execa('pg_restore', ['--list', copy])
  const { stdout: rows } = await execa('pg_restore', [
    ...['--data-only', '--table=kysely_migration', '--file=-'],
    copy,
  ])
  // A row begins with its name, and ends the line with its time.
  const migrations = [...rows.matchAll(/^(\d{4}-[^\t\n]+)\t/gm)].map(([, name]) => name!)
  const tables = [...list.matchAll(/^\d+; \d+ \d+ TABLE (?!DATA )\S+ (\S+) /gm)].map(([, name]) => name!)
  return { migrations: migrations.toSorted(), tables: tables.toSorted() }
}

/** Whether the database has no table. */
export async function isEmptyPostgres(url: string): Promise<boolean> {
  const database = connectDatabase({ dialect: 'postgres', url })
  try {
    const { rows } = await sql`
      select tablename from pg_tables where schemaname not in ('pg_catalog', 'information_schema') limit 1`.execute(
      database,
    )
    return rows.length === 0
  } finally {
    await database.destroy()
  }
}

/** Arguments are visible to other users of the machine; the password goes through the environment. */
async function runProgram(program: string, url: string, args: string[]): Promise<void> {
  const address = new URL(url)
  const password = decodeURIComponent(address.password)
  address.password = ''
  try {
    await execa(program, [`--dbname=${address.href}`, '--no-password', ...args], {
      env: password === '' ? {} : { PGPASSWORD: password },
    })
  } catch (error) {
    if (!(error instanceof ExecaError)) throw error
    throw new PostgresProgramError(
      `${program} failed: ${reasonOf(error as Reported)}. Its version must be that of the server or newer; after that, run the command again.`,
      { cause: error },
    )
  }
}

/** The fields that are read of an `ExecaError`, whose output has no type of its own. */
interface Reported {
  stderr: unknown
  shortMessage: string
}

function reasonOf({ stderr, shortMessage }: Reported): string {
  return (typeof stderr === 'string' && stderr.trim()) || shortMessage
}

async function requireProgram(program: string): Promise<void> {
  if (await isInstalled(program)) return
  throw new PostgresProgramError(
    `${program} is not installed. Install the client programs of PostgreSQL (Debian: apt-get install postgresql-client) ` +
      'in the version of the server or newer.',
  )
}
