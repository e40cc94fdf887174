import type { Insertable, Selectable } from 'kysely'

import type { Database } from '../../database/connect.js'
import { countRows } from '../../database/count-rows.js'
import type { SecureFileTable } from '../../database/tables/secure-files.js'
import type { Paging } from '../../http/page.js'
import { listRows, type Rows } from '../../http/paging/list-rows.js'

export type SecureFileRow = Selectable<SecureFileTable>

export function listSecureFiles(
  database: Database,
  projectId: number,
  paging: Paging,
): Promise<Rows<SecureFileRow>> {
  const order = { table: 'secure_file', column: 'id', direction: 'asc' } as const
  return listRows(database, filesOf(database, projectId), paging, order)
}

export function countSecureFiles(database: Database, projectId: number): Promise<number> {
  return countRows(database, filesOf(database, projectId))
}

export function findSecureFile(
  database: Database,
  projectId: number,
  id: number,
): Promise<SecureFileRow | undefined> {
  return filesOf(database, projectId).selectAll().where('id', '=', id).executeTakeFirst()
}

export function insertSecureFile(
  database: Database,
  values: Insertable<SecureFileTable>,
): Promise<SecureFileRow> {
  return database.insertInto('secure_file').values(values).returningAll().executeTakeFirstOrThrow()
}

/** Records new bytes of a file. False when the file no longer has the old seal. */
export async function replaceBlobOfSecureFile(
  database: Database,
  { id, seal }: Pick<SecureFileRow, 'id' | 'seal'>,
  changes: Pick<SecureFileRow, 'blob_key' | 'seal'>,
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('secure_file')
    .set(changes)
    .where('id', '=', id)
    .where('seal', '=', seal)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The deleted row; undefined if there is none. */
export function deleteSecureFileRow(
  database: Database,
  projectId: number,
  id: number,
): Promise<SecureFileRow | undefined> {
  return database
    .deleteFrom('secure_file')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

function filesOf(database: Database, projectId: number) {
  return database.selectFrom('secure_file').where('project_id', '=', projectId)
}
