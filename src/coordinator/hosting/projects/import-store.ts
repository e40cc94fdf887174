import type { Selectable } from 'kysely'

import type { Database } from '../../database/connect.js'
import { setProjectColumns } from '../../database/stores/project-store.js'
import type { ProjectImportProblemTable, ProjectImportTable } from '../../database/tables/projects.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'

export type Import = Selectable<ProjectImportTable>

/** Maximum number of imports per query; the rest follow in the next one. */
const MAX_IMPORTS = 1000

/** Source of an import: another project, a URL or an archive. */
export interface NewImport {
  project_id: number
  user_id: number
  source_project_id?: number
  source_url_encrypted?: string
  /** The only branch to copy. */
  branch?: string | undefined
  archive_key?: string
  settings?: string
  final_name?: string
  final_path?: string
  overwrites_id?: number
  /** No worker claims the import before this time. */
  claimed_until?: number
}

/** Adds an import. After `tx` commits, the worker of any coordinator fills the repository. */
export async function addImport(tx: Transaction, wanted: NewImport): Promise<void> {
  await tx
    .insertInto('project_import')
    .values({ ...wanted, branch: wanted.branch ?? null, created_at: Date.now() })
    .execute()
}

export function findImport(database: Database, id: number): Promise<Import | undefined> {
  return database.selectFrom('project_import').selectAll().where('id', '=', id).executeTakeFirst()
}

/** In the order of the requests. */
export function findImports(database: Database): Promise<Import[]> {
  return database.selectFrom('project_import').selectAll().orderBy('id').limit(MAX_IMPORTS).execute()
}

/** Claims the import until the given time; false if another worker has claimed or finished it. */
export function claimImport(
  database: Database,
  { id, project_id, settled }: Import,
  until: number,
): Promise<boolean> {
  return inTransaction(database, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('project_import')
      .set({ claimed_until: until })
      .where('id', '=', id)
      .where(({ or, eb }) => or([eb('claimed_until', 'is', null), eb('claimed_until', '<', Date.now())]))
      .executeTakeFirst()
    if (numUpdatedRows !== 1n) return false
    if (settled) return true
    await setProjectColumns(tx, project_id, { import_status: 'started' })
    return true
  })
}

/** Extends the claim; null releases it. */
export async function renewClaim(database: Database, id: number, until: number | null): Promise<void> {
  await database.updateTable('project_import').set({ claimed_until: until }).where('id', '=', id).execute()
}

/** Releases the import when its source is stored, so that a worker can claim it. */
export async function releaseImport(database: Database, projectId: number): Promise<void> {
  await database
    .updateTable('project_import')
    .set({ claimed_until: null })
    .where('project_id', '=', projectId)
    .execute()
}

/** Marks the import as finished. False if the project was deleted or another worker was first. */
export function finishImport(database: Database, done: Import): Promise<boolean> {
  return endImport(database, done, { import_status: 'finished', import_error: null })
}

export function failImport(database: Database, failed: Import, reason: string): Promise<boolean> {
  return endImport(database, failed, { import_status: 'failed', import_error: reason })
}

function endImport(
  database: Database,
  { id, project_id, archive_key }: Import,
  changes: { import_status: 'finished' | 'failed'; import_error: string | null },
): Promise<boolean> {
  return inTransaction(database, async (tx) => {
    const isOurs = archive_key === null ? await deleteImport(tx, id) : await markSettled(tx, id)
    if (!isOurs) return false
    const now = Date.now()
    await setProjectColumns(tx, project_id, { ...changes, last_activity_at: now, updated_at: now })
    return true
  })
}

/** False if it was deleted before. */
export async function deleteImport(database: Database, id: number): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('project_import')
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Marks the import as settled, and keeps the row until the archive file is deleted. */
async function markSettled(tx: Transaction, id: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('project_import')
    .set({ settled: true })
    .where('id', '=', id)
    .where('settled', '=', false)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Records the progress of an archive import. False if the import no longer exists. */
export async function recordProgress(
  database: Database,
  id: number,
  { part, line }: { part: string; line: number },
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('project_import')
    .set({ part, line })
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Maximum number of problems that are stored and shown. */
const MAX_PROBLEMS = 100

export async function recordProblem(
  database: Database,
  projectId: number,
  problem: { part: string; line: number; message: string },
): Promise<void> {
  if ((await problemsOf(database, projectId)).length >= MAX_PROBLEMS) return
  await database
    .insertInto('project_import_problem')
    .values({ project_id: projectId, ...problem, created_at: Date.now() })
    .onConflict((conflict) => conflict.columns(['project_id', 'part', 'line']).doNothing())
    .execute()
}

export function problemsOf(
  database: Database,
  projectId: number,
): Promise<Selectable<ProjectImportProblemTable>[]> {
  return database
    .selectFrom('project_import_problem')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('id')
    .limit(MAX_PROBLEMS)
    .execute()
}
