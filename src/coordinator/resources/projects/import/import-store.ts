import type { Selectable } from 'kysely'

import type { Database } from '../../../database/connect.js'
import { inTransaction, type Transaction } from '../../../database/transaction.js'
import type { ProjectImportTable } from '../table.js'

export type Import = Selectable<ProjectImportTable>

/** Imports that are looked for at once; the others follow. */
const MAX_IMPORTS = 1000

/** What is to be copied: another project, or what an address leads to. */
export interface NewImport {
  project_id: number
  user_id: number
  source_project_id?: number
  source_url_encrypted?: string
  /** The only branch that is wanted. */
  branch?: string | undefined
}

/** Leaves a repository to be filled once `tx` has committed, whichever coordinator is there then. */
export async function addImport(tx: Transaction, wanted: NewImport): Promise<void> {
  await tx
    .insertInto('project_import')
    .values({ ...wanted, branch: wanted.branch ?? null, created_at: Date.now() })
    .execute()
}

/** In the order in which they were asked for. */
export function findImports(database: Database): Promise<Import[]> {
  return database.selectFrom('project_import').selectAll().orderBy('id').limit(MAX_IMPORTS).execute()
}

/** Makes it the caller's own for that long; false when somebody else is at it, or has done it. */
export function claimImport(database: Database, { id, project_id }: Import, until: number): Promise<boolean> {
  return inTransaction(database, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('project_import')
      .set({ claimed_until: until })
      .where('id', '=', id)
      .where(({ or, eb }) => or([eb('claimed_until', 'is', null), eb('claimed_until', '<', Date.now())]))
      .executeTakeFirst()
    if (numUpdatedRows !== 1n) return false
    await tx.updateTable('project').set({ import_status: 'started' }).where('id', '=', project_id).execute()
    return true
  })
}

/** Says that its owner is still at it; null gives it back. */
export async function keepClaim(database: Database, id: number, until: number | null): Promise<void> {
  await database.updateTable('project_import').set({ claimed_until: until }).where('id', '=', id).execute()
}

/** False when it is not wanted any more: the project is gone, or somebody else was first. */
export function finishImport(database: Database, done: Import): Promise<boolean> {
  return settle(database, done, { import_status: 'finished', import_error: null })
}

export function failImport(database: Database, failed: Import, reason: string): Promise<boolean> {
  return settle(database, failed, { import_status: 'failed', import_error: reason })
}

function settle(
  database: Database,
  { id, project_id }: Import,
  changes: { import_status: 'finished' | 'failed'; import_error: string | null },
): Promise<boolean> {
  return inTransaction(database, async (tx) => {
    const { numDeletedRows } = await tx.deleteFrom('project_import').where('id', '=', id).executeTakeFirst()
    if (numDeletedRows !== 1n) return false
    const now = Date.now()
    await tx
      .updateTable('project')
      .set({ ...changes, last_activity_at: now, updated_at: now })
      .where('id', '=', project_id)
      .execute()
    return true
  })
}
