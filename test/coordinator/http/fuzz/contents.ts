import { readdirSync } from 'node:fs'
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

/** Thousands of files are listed for each operation: this takes a seventh of the time of `readdir` with `recursive`. */
function addFiles(folder: string, files: Set<string>): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    files.add(path)
    if (entry.isDirectory()) addFiles(path, files)
  }
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

  /** The same for rows alone. */
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
