import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'

import type { Database } from '../../database/connect.js'
import { deleteMatching } from '../../database/delete-in-steps.js'
import type { OauthApplicationTable } from '../../database/tables/applications.js'
import type { Paging } from '../../http/page.js'
import { listRows, type Rows } from '../../http/paging/list-rows.js'

export type ApplicationRow = Selectable<OauthApplicationTable>

/** The owner of the applications: a user, or the instance if null. */
export type Owner = ApplicationRow['owner_id']

export function insertApplication(
  database: Database,
  values: Insertable<OauthApplicationTable>,
): Promise<ApplicationRow> {
  return database.insertInto('oauth_application').values(values).returningAll().executeTakeFirstOrThrow()
}

/** Oldest first. */
export function listApplications(
  database: Database,
  owner: Owner,
  paging: Paging,
): Promise<Rows<ApplicationRow>> {
  const all = database.selectFrom('oauth_application').where('owner_id', owner === null ? 'is' : '=', owner)
  return listRows(database, all, paging, { table: 'oauth_application', column: 'id', direction: 'asc' })
}

export async function countApplicationsOf(database: Database, owner: number): Promise<number> {
  const { count } = await database
    .selectFrom('oauth_application')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('owner_id', '=', owner)
    .executeTakeFirstOrThrow()
  return count
}

export async function countDynamicApplications(database: Database): Promise<number> {
  const { count } = await database
    .selectFrom('oauth_application')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('dynamic', '=', true)
    .executeTakeFirstOrThrow()
  return count
}

/** Periodic task: deletes applications that registered themselves more than a day ago and that no user has authorized. */
export async function deleteUnusedDynamicApplications(database: Database, now = Date.now()): Promise<void> {
  await database
    .deleteFrom('oauth_application')
    .where('dynamic', '=', true)
    .where('created_at', '<', now - 24 * 3600 * 1000)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('oauth_grant')
            .select('oauth_grant.id')
            .whereRef('oauth_grant.application_id', '=', 'oauth_application.id'),
        ),
      ),
    )
    .execute()
}

export interface OwnedId {
  id: number
  owner: Owner
}

export function findApplication(
  database: Database,
  { id, owner }: OwnedId,
): Promise<ApplicationRow | undefined> {
  return database
    .selectFrom('oauth_application')
    .selectAll()
    .where('id', '=', id)
    .where('owner_id', owner === null ? 'is' : '=', owner)
    .executeTakeFirst()
}

/** Undefined if it does not exist. */
export function updateApplication(
  database: Database,
  { id, owner }: OwnedId,
  values: Updateable<OauthApplicationTable>,
): Promise<ApplicationRow | undefined> {
  return database
    .updateTable('oauth_application')
    .set(values)
    .where('id', '=', id)
    .where('owner_id', owner === null ? 'is' : '=', owner)
    .returningAll()
    .executeTakeFirst()
}

/** Deletes an application with all its grants. False if it does not exist. */
export async function deleteApplication(database: Database, { id, owner }: OwnedId): Promise<boolean> {
  await deleteMatching(
    database,
    'oauth_grant',
    sql`application_id in (select id from oauth_application
      where id = ${id} and ${owner === null ? sql`owner_id is null` : sql`owner_id = ${owner}`})`,
  )
  const { numDeletedRows } = await database
    .deleteFrom('oauth_application')
    .where('id', '=', id)
    .where('owner_id', owner === null ? 'is' : '=', owner)
    .executeTakeFirst()
  return numDeletedRows === 1n
}
