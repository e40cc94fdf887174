import type { Insertable, Selectable } from 'kysely'

import type { Database } from '../../database/connect.js'
import type { DeployKeyTable } from '../../database/tables/deploy-keys.js'
import type { Paging } from '../../http/page.js'
import { countAround, listRows, type Rows } from '../../http/paging/list-rows.js'

export type DeployKeyRow = Selectable<DeployKeyTable>
export type ProjectKeyRow = DeployKeyRow & { can_push: boolean }

export async function listProjectKeys(
  database: Database,
  projectId: number,
  paging: Paging,
): Promise<Rows<ProjectKeyRow>> {
  const keys = keysOf(database, projectId)
  const rows = await keys
    .selectAll('deploy_key')
    .select('enabled.can_push')
    .orderBy('deploy_key.id')
    .limit(paging.perPage)
    .offset(paging.offset)
    .execute()
  return { rows, total: await countAround(database, keys, paging, rows.length) }
}

export function findProjectKey(
  database: Database,
  projectId: number,
  id: number,
): Promise<ProjectKeyRow | undefined> {
  return keysOf(database, projectId)
    .selectAll('deploy_key')
    .select('enabled.can_push')
    .where('deploy_key.id', '=', id)
    .executeTakeFirst()
}

export function listAllKeys(database: Database, paging: Paging): Promise<Rows<DeployKeyRow>> {
  const order = { table: 'deploy_key', column: 'id', direction: 'asc' } as const
  return listRows(database, database.selectFrom('deploy_key'), paging, order)
}

export function findKey(database: Database, id: number): Promise<DeployKeyRow | undefined> {
  return database.selectFrom('deploy_key').selectAll().where('id', '=', id).executeTakeFirst()
}

export function findKeyByFingerprint(
  database: Database,
  fingerprint: string,
): Promise<DeployKeyRow | undefined> {
  return database
    .selectFrom('deploy_key')
    .selectAll()
    .where('fingerprint_sha256', '=', fingerprint)
    .executeTakeFirst()
}

/** Inserts a key; undefined if another request has just inserted the same key. */
export function insertKey(
  database: Database,
  values: Insertable<DeployKeyTable>,
): Promise<DeployKeyRow | undefined> {
  return database
    .insertInto('deploy_key')
    .values(values)
    .onConflict((conflict) => conflict.column('fingerprint_sha256').doNothing())
    .returningAll()
    .executeTakeFirst()
}

export async function enableKey(
  database: Database,
  projectId: number,
  keyId: number,
  canPush: boolean,
): Promise<void> {
  await database
    .insertInto('deploy_key_project')
    .values({ project_id: projectId, deploy_key_id: keyId, can_push: canPush })
    .onConflict((conflict) => conflict.columns(['project_id', 'deploy_key_id']).doNothing())
    .execute()
}

export async function updateTitle(database: Database, id: number, title: string): Promise<void> {
  await database.updateTable('deploy_key').set({ title }).where('id', '=', id).execute()
}

export async function updateRight(
  database: Database,
  projectId: number,
  keyId: number,
  canPush: boolean,
): Promise<void> {
  await database
    .updateTable('deploy_key_project')
    .set({ can_push: canPush })
    .where('project_id', '=', projectId)
    .where('deploy_key_id', '=', keyId)
    .execute()
}

/** Disables the key in the project, and deletes it when no other project has it. */
export async function disableKey(database: Database, projectId: number, keyId: number): Promise<void> {
  await database
    .deleteFrom('deploy_key_project')
    .where('project_id', '=', projectId)
    .where('deploy_key_id', '=', keyId)
    .execute()
  await deleteUnusedKeys(database)
}

/** Deletes the keys of no project. Such keys remain when the last project with the key is deleted. */
export async function deleteUnusedKeys(database: Database): Promise<void> {
  await database
    .deleteFrom('deploy_key')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('deploy_key_project')
            .select('project_id')
            .whereRef('deploy_key_id', '=', 'deploy_key.id'),
        ),
      ),
    )
    .execute()
}

export interface KeyProject {
  deploy_key_id: number
  can_push: boolean
  id: number
  description: string | null
  name: string
  path: string
  full_path: string
  created_at: number
}

export async function projectsOfKeys(database: Database, keyIds: number[]): Promise<KeyProject[]> {
  if (keyIds.length === 0) return []
  return database
    .selectFrom('deploy_key_project as enabled')
    .innerJoin('project', 'project.id', 'enabled.project_id')
    .select(['enabled.deploy_key_id', 'enabled.can_push'])
    .select(['project.id', 'project.description', 'project.name', 'project.path', 'project.full_path'])
    .select('project.created_at')
    .where('enabled.deploy_key_id', 'in', keyIds)
    .orderBy('project.id')
    .execute()
}

function keysOf(database: Database, projectId: number) {
  return database
    .selectFrom('deploy_key')
    .innerJoin('deploy_key_project as enabled', 'enabled.deploy_key_id', 'deploy_key.id')
    .where('enabled.project_id', '=', projectId)
}
