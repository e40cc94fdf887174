import type { Insertable, Selectable } from 'kysely'

import type { Database } from '../../database/connect.js'
import type { OauthApplicationTable } from '../../database/tables/applications.js'
import type { Paging } from '../../http/operation.js'
import { listRows, type Rows } from '../../http/paging/list-rows.js'

export type ApplicationRow = Selectable<OauthApplicationTable>

export function insertApplication(
  database: Database,
  values: Insertable<OauthApplicationTable>,
): Promise<ApplicationRow> {
  return database.insertInto('oauth_application').values(values).returningAll().executeTakeFirstOrThrow()
}

/** Oldest first. */
export function listApplications(database: Database, paging: Paging): Promise<Rows<ApplicationRow>> {
  const all = database.selectFrom('oauth_application')
  return listRows(database, all, paging, { table: 'oauth_application', column: 'id', direction: 'asc' })
}

/** Deletes an application with all its grants. False if it does not exist. */
export async function deleteApplication(database: Database, id: number): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('oauth_application')
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows === 1n
}
