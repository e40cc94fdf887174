import { type RawBuilder, type Selectable, type SelectQueryBuilder, sql, type SqlBool } from 'kysely'

import { chunks } from '../../../../lib/chunks.js'
import type { Database } from '../../../database/connect.js'
import type { Tables } from '../../../database/tables/database-tables.js'
import type {
  DeploymentMergeRequestTaskTable,
  DeploymentTable,
} from '../../../database/tables/environments.js'
import { afterCommit, inTransaction, storeOf, type Transaction } from '../../../database/transaction.js'
import { fewIds } from '../../../http/paging/few-ids.js'
import { IDS_PER_STATEMENT } from '../job-store.js'

type DeploymentRow = Selectable<DeploymentTable>

export type DeploymentTaskRow = Selectable<DeploymentMergeRequestTaskTable>

/** Maximum number of tasks per query; the rest follow in the next one. */
export const MAX_DEPLOYMENT_TASKS = 500

const wakers = new WeakMap<Database, () => void>()

/** Calls `wake` after each transaction on this store in which a deployment has succeeded. */
export function onDeploymentTask(database: Database, wake: () => void): void {
  wakers.set(database, wake)
}

/** Asks for the merge requests of a deployment that has succeeded to be stored in the background. */
export async function requestMergeRequestsOf(
  tx: Transaction,
  { id, project_id }: DeploymentRow,
): Promise<void> {
  afterCommit(tx, () => wakers.get(storeOf(tx))?.())
  await tx
    .insertInto('deployment_merge_request_task')
    .values({ deployment_id: id, project_id, created_at: Date.now() })
    .onConflict((conflict) => conflict.column('deployment_id').doNothing())
    .execute()
}

/** Open tasks, oldest first. */
export function findDeploymentTasks(database: Database): Promise<DeploymentTaskRow[]> {
  return database
    .selectFrom('deployment_merge_request_task')
    .selectAll()
    .orderBy('id')
    .limit(MAX_DEPLOYMENT_TASKS)
    .execute()
}

/** False if another coordinator has claimed or completed it. */
export async function claimDeploymentTask(
  database: Database,
  { id, claimed_until }: Pick<DeploymentTaskRow, 'id' | 'claimed_until'>,
  until: number,
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('deployment_merge_request_task')
    .set({ claimed_until: until })
    .where('id', '=', id)
    .where('claimed_until', claimed_until === null ? 'is' : '=', claimed_until)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function renewDeploymentTask(
  database: Database,
  id: number,
  until: number | null,
): Promise<void> {
  await database
    .updateTable('deployment_merge_request_task')
    .set({ claimed_until: until })
    .where('id', '=', id)
    .execute()
}

/** Stores the merge requests that a deployment has brought, and completes the task. */
export async function storeMergeRequestsOf(
  database: Database,
  task: Pick<DeploymentTaskRow, 'id'>,
  deployment: DeploymentRow,
  mergeRequestIds: readonly number[],
): Promise<void> {
  const { id: deployment_id, environment_id, finished_at, updated_at } = deployment
  const common = { deployment_id, environment_id, finished_at: finished_at ?? updated_at }
  await inTransaction(database, async (tx) => {
    for (const some of chunks([...mergeRequestIds], IDS_PER_STATEMENT)) {
      await tx
        .insertInto('deployment_merge_request')
        .values(some.map((merge_request_id) => ({ merge_request_id, ...common })))
        .onConflict((conflict) => conflict.columns(['deployment_id', 'merge_request_id']).doNothing())
        .execute()
    }
    await finishDeploymentTask(tx, task)
  })
}

/** Deletes the task. */
export async function finishDeploymentTask(
  database: Database,
  { id }: Pick<DeploymentTaskRow, 'id'>,
): Promise<void> {
  await database.deleteFrom('deployment_merge_request_task').where('id', '=', id).execute()
}

/** Which successful deployments; times in milliseconds since 1970, both inclusive. */
export interface DeployedQuery {
  /** Name of the environment. */
  environment?: string | undefined
  after?: number | undefined
  before?: number | undefined
  /** Undefined = of all projects. */
  projectId?: number | undefined
}

/**
 * Condition on the table `merge_request`: such a deployment has brought it. Names the merge requests if they are few: to
 * ask each whether it was deployed takes longer.
 */
export async function isDeployed(database: Database, query: DeployedQuery): Promise<RawBuilder<SqlBool>> {
  const named = query.environment === undefined ? [] : [await isToEnvironment(database, query)]
  const conditions = [...named, ...timesOf(query)]
  const ofProject = query.environment === undefined && query.projectId !== undefined ? [isToAny(query)] : []
  const few = await fewIds(linksWith(database, [...ofProject, ...conditions]))
  if (few) return sql<SqlBool>`merge_request.id in (${sql.join(few.length > 0 ? few : [0])})`
  // The limit keeps PostgreSQL from joining all that were deployed.
  return sql<SqlBool>`exists (
    select 1 from deployment_merge_request
      where deployment_merge_request.merge_request_id = merge_request.id
        and ${sql.join(conditions, sql` and `)} limit 1 offset 0)`
}

/** Names the environments if they are few, as those of one project are. */
async function isToEnvironment(database: Database, query: DeployedQuery): Promise<RawBuilder<SqlBool>> {
  const { environment = '', projectId } = query
  const few = await fewIds(
    database
      .selectFrom('environment')
      .select('environment.id')
      .where('environment.name', '=', environment)
      .$if(projectId !== undefined, (named) => named.where('environment.project_id', '=', projectId ?? 0)),
  )
  if (!few) return isToAny(query)
  return sql<SqlBool>`deployment_merge_request.environment_id in (${sql.join(few.length > 0 ? few : [0])})`
}

function isToAny({ environment, projectId }: DeployedQuery): RawBuilder<SqlBool> {
  const conditions = [
    ...(environment === undefined ? [] : [sql`environment.name = ${environment}`]),
    ...(projectId === undefined ? [] : [sql`environment.project_id = ${projectId}`]),
  ]
  return sql<SqlBool>`deployment_merge_request.environment_id in (
    select environment.id from environment where ${sql.join(conditions, sql` and `)})`
}

function timesOf({ after, before }: DeployedQuery): RawBuilder<SqlBool>[] {
  return [
    ...(after === undefined ? [] : [sql<SqlBool>`deployment_merge_request.finished_at >= ${after}`]),
    ...(before === undefined ? [] : [sql<SqlBool>`deployment_merge_request.finished_at <= ${before}`]),
  ]
}

function linksWith(
  database: Database,
  conditions: RawBuilder<SqlBool>[],
): SelectQueryBuilder<Tables, 'deployment_merge_request', { id: number }> {
  return conditions.reduce(
    (links, condition) => links.where(condition),
    database.selectFrom('deployment_merge_request').select('deployment_merge_request.merge_request_id as id'),
  )
}
