import type { Insertable, Selectable, Updateable } from 'kysely'

import type { Database } from '../../database/connect.js'
import type { IntegrationTable } from '../../database/tables/integrations.js'
import type { Transaction } from '../../database/transaction.js'

export type IntegrationRow = Selectable<IntegrationTable>

/** The active ones of a project, in the order of their slugs. */
export function activeIntegrations(database: Database, projectId: number): Promise<IntegrationRow[]> {
  return database
    .selectFrom('integration')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('active', '=', true)
    .orderBy('slug')
    .execute()
}

export function findIntegration(
  database: Database,
  projectId: number,
  slug: string,
): Promise<IntegrationRow | undefined> {
  return database
    .selectFrom('integration')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('slug', '=', slug)
    .executeTakeFirst()
}

export function findIntegrationById(database: Database, id: number): Promise<IntegrationRow | undefined> {
  return database.selectFrom('integration').selectAll().where('id', '=', id).executeTakeFirst()
}

export function insertIntegration(
  tx: Transaction,
  values: Omit<Insertable<IntegrationTable>, 'id'>,
): Promise<IntegrationRow> {
  return tx.insertInto('integration').values(values).returningAll().executeTakeFirstOrThrow()
}

export function updateIntegration(
  tx: Transaction,
  id: number,
  values: Updateable<IntegrationTable>,
): Promise<IntegrationRow> {
  return tx
    .updateTable('integration')
    .set(values)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** False if there is none. */
export async function deleteIntegrationRow(
  database: Database,
  projectId: number,
  slug: string,
): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('integration')
    .where('project_id', '=', projectId)
    .where('slug', '=', slug)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Whether an open merge request of the project has this source branch in it. */
export async function hasOpenMergeRequest(
  database: Database,
  projectId: number,
  branch: string,
): Promise<boolean> {
  const row = await database
    .selectFrom('merge_request')
    .select('id')
    .where('source_project_id', '=', projectId)
    .where('source_branch', '=', branch)
    .where('state', '=', 'opened')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Names of protected branches, and patterns. */
export async function protectedBranchNames(database: Database, projectId: number): Promise<string[]> {
  const rows = await database
    .selectFrom('protected_ref')
    .select('name')
    .where('project_id', '=', projectId)
    .where('kind', '=', 'branch')
    .execute()
  return rows.map(({ name }) => name)
}

/** Undefined for a user who is not active. */
export async function emailOfUser(database: Database, id: number): Promise<string | undefined> {
  const user = await database
    .selectFrom('user')
    .select('email')
    .where('id', '=', id)
    .where('state', '=', 'active')
    .where('kind', '=', 'human')
    .executeTakeFirst()
  return user?.email
}
