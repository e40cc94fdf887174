import { type Selectable, sql } from 'kysely'

import type { Group, Project } from '../../../access/caller.js'
import { maySeeGroup, maySeeProject, type Viewer } from '../../../access/visibility.js'
import type { Database } from '../../../database/connect.js'
import { hasRowLocks } from '../../../database/lock-row.js'
import type { JobTokenGroupTable, JobTokenProjectTable } from '../../../database/tables/job-token-scope.js'
import type { Transaction } from '../../../database/transaction.js'
import type { Paging } from '../../../http/page.js'
import { listRows, type Rows } from '../../../http/paging/list-rows.js'

/** An entry of the allowlist of a project. */
export type Entry =
  | Omit<Selectable<JobTokenProjectTable>, 'created_at'>
  | Omit<Selectable<JobTokenGroupTable>, 'created_at'>

/** Projects whose job tokens a project accepts: itself and the listed ones. */
export function listAllowedProjects(
  database: Database,
  projectId: number,
  paging: Paging,
): Promise<Rows<Project>> {
  const ids = sql<number>`(
    select cast(${projectId} as bigint) as id
    union all select allowed_project_id from job_token_project where project_id = ${projectId})`
  const matching = database.selectFrom('project').where('project.id', 'in', ids)
  return listRows(database, matching, paging, { table: 'project', column: 'id', direction: 'asc' })
}

export function listAllowedGroups(
  database: Database,
  projectId: number,
  paging: Paging,
): Promise<Rows<Group>> {
  const matching = database
    .selectFrom('namespace')
    .where('namespace.id', 'in', (eb) =>
      eb.selectFrom('job_token_group').select('allowed_group_id').where('project_id', '=', projectId),
    )
  return listRows(database, matching, paging, { table: 'namespace', column: 'id', direction: 'asc' })
}

/**
 * Whether the project or group exists and the viewer may see it. Locks it until the end of the transaction.
 */
export async function lockIfVisible(tx: Transaction, entry: Entry, viewer: Viewer): Promise<boolean> {
  const query =
    'allowed_project_id' in entry
      ? tx
          .selectFrom('project')
          .select('project.id')
          .where('project.id', '=', entry.allowed_project_id)
          .where(maySeeProject(viewer))
      : tx
          .selectFrom('namespace')
          .select('namespace.id')
          .where('namespace.id', '=', entry.allowed_group_id)
          .where('namespace.kind', '=', 'group')
          .where(maySeeGroup(viewer))
  const row = await query.$if(hasRowLocks(tx), (locking) => locking.forKeyShare()).executeTakeFirst()
  return row !== undefined
}

/** False if it is already on the list. */
export async function insertEntry(tx: Transaction, entry: Entry): Promise<boolean> {
  const created_at = Date.now()
  const insertion =
    'allowed_project_id' in entry
      ? tx.insertInto('job_token_project').values({ ...entry, created_at })
      : tx.insertInto('job_token_group').values({ ...entry, created_at })
  const { numInsertedOrUpdatedRows } = await insertion
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** False if it is not on the list. */
export async function deleteEntry(database: Database, entry: Entry): Promise<boolean> {
  const deletion =
    'allowed_project_id' in entry
      ? database.deleteFrom('job_token_project').where('allowed_project_id', '=', entry.allowed_project_id)
      : database.deleteFrom('job_token_group').where('allowed_group_id', '=', entry.allowed_group_id)
  const { numDeletedRows } = await deletion.where('project_id', '=', entry.project_id).executeTakeFirst()
  return numDeletedRows === 1n
}

/** Number of projects and groups on the allowlist. */
export async function countEntries(database: Database, projectId: number): Promise<number> {
  const { rows } = await sql<{ entries: number }>`
    select (select count(*) from job_token_project where project_id = ${projectId})
      + (select count(*) from job_token_group where project_id = ${projectId}) as entries`.execute(database)
  return rows[0]?.entries ?? 0
}
