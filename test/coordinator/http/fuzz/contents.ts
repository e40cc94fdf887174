import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { sql } from 'kysely'
import { vi } from 'vitest'

import type { World } from '../at-once/world.js'

/** What a coordinator keeps: rows by table, and the names of its files. */
interface Contents {
  rows: Record<string, number>
  files: Set<string>
}

async function rowsOf({ database }: World, tables: readonly string[]): Promise<Contents['rows']> {
  const counts = tables.map(
    (table) => sql`select ${sql.lit(table)} as name, count(*) as rows from ${sql.table(table)}`,
  )
  const { rows } = await sql<{ name: string; rows: number }>`${sql.join(counts, sql` union all `)}`.execute(
    database,
  )
  return Object.fromEntries(rows.map((row) => [row.name, row.rows]))
}

/** Refs are files too, so that a new branch shows. */
function filesOf({ folder }: World): Set<string> {
  const files = new Set<string>()
  addFiles(folder, files)
  return files
}

interface Listed {
  /** Milliseconds since 1970. */
  changedAt: number
  readAt: number
  paths: string[]
  folders: string[]
}

/** Thousands of folders are listed for each operation, and most of them do not change. */
const listed = new Map<string, Listed>()
/** Milliseconds in which two changes of a folder may have the same time. */
const CLOCK_STEP = 50

function addFiles(folder: string, files: Set<string>): void {
  const { paths, folders } = listOf(folder)
  for (const path of paths) files.add(path)
  for (const path of folders) addFiles(path, files)
}

/** A folder that was read long enough after its last change is read again when it has another time. */
function listOf(folder: string): Listed {
  const { mtimeMs: changedAt } = statSync(folder)
  const known = listed.get(folder)
  if (known?.changedAt === changedAt && known.readAt - changedAt > CLOCK_STEP) return known
  const readAt = Date.now()
  const entries = readdirSync(folder, { withFileTypes: true })
  const paths = entries.map(({ name }) => join(folder, name))
  const folders = paths.filter((_path, index) => entries[index]?.isDirectory())
  const now = { changedAt, readAt, paths, folders }
  listed.set(folder, now)
  return now
}

/** The files once no repository is packed in the background any more, which an earlier call may have started. */
function filesAtRest(world: World): Promise<Set<string>> {
  return vi.waitFor(
    () => {
      const files = filesOf(world)
      const packed = [...files].find((file) => file.endsWith('/switchyard-tending'))
      if (packed !== undefined) throw new Error(`${packed} is still there`)
      return files
    },
    { timeout: 60_000 },
  )
}

/** Written by tasks that follow earlier calls. */
const IN_BACKGROUND = new Set(['project_measure'])

async function tablesOf({ database }: World): Promise<string[]> {
  const tables = await database.introspection.getTables()
  return tables
    .filter(({ isView, name }) => !isView && !name.startsWith('kysely') && !IN_BACKGROUND.has(name))
    .map(({ name }) => name)
}

/** One line for each table and file that differs. */
function differences(before: Contents, after: Contents): string[] {
  const rows = Object.keys(before.rows)
    .filter((table) => before.rows[table] !== after.rows[table])
    .map((table) => `${table}: ${before.rows[table]} rows become ${after.rows[table]}`)
  const without = (files: Set<string>, others: Set<string>) => [...files].filter((file) => !others.has(file))
  const added = without(after.files, before.files).map((file) => `${file} is new`)
  const removed = without(before.files, after.files).map((file) => `${file} is gone`)
  return [...rows, ...added, ...removed]
}

/**
 * Tells what refused calls have changed in a world. Rows are counted after each call on SQLite, where that is cheap; files
 * are compared at the end.
 */
export class ChangeWatch {
  private before: Contents = { rows: {}, files: new Set() }
  private writes = -1

  private constructor(
    private readonly world: World,
    private readonly tables: readonly string[],
    private readonly isSqlite: boolean,
  ) {}

  static async open(world: World): Promise<ChangeWatch> {
    const isSqlite = world.dialect === 'sqlite'
    return new ChangeWatch(world, isSqlite ? await tablesOf(world) : [], isSqlite)
  }

  /** What is there now is what must stay. */
  async start(): Promise<void> {
    if (this.isSqlite) this.before = { rows: {}, files: await filesAtRest(this.world) }
    await this.resetRows()
  }

  /** As `start`, for rows alone. */
  async resetRows(): Promise<void> {
    if (!this.isSqlite) return
    this.before = { ...this.before, rows: await rowsOf(this.world, this.tables) }
    this.writes = await this.countWrites()
  }

  /** One line for each table with another number of rows. */
  async changedRows(): Promise<string[]> {
    if (!this.isSqlite || this.writes === (await this.countWrites())) return []
    const rows = await rowsOf(this.world, this.tables)
    const changes = differences(this.before, { ...this.before, rows })
    this.before = { ...this.before, rows }
    this.writes = await this.countWrites()
    return changes
  }

  /** One line for each added or deleted file. */
  async changedFiles(): Promise<string[]> {
    if (!this.isSqlite) return []
    return differences(this.before, { ...this.before, files: filesOf(this.world) })
  }

  private async countWrites(): Promise<number> {
    const { rows } = await sql<{ writes: number }>`select total_changes() as writes`.execute(
      this.world.database,
    )
    return rows[0]?.writes ?? 0
  }
}
