import type { Insertable, Selectable, Updateable } from 'kysely'

import { chunks } from '../../../../lib/chunks.js'
import type { Database } from '../../../database/connect.js'
import type { DeploymentStatus, DeploymentTable } from '../../../database/tables/environments.js'
import type { JobStatus } from '../../../database/tables/job-columns.js'
import type { Transaction } from '../../../database/transaction.js'
import { emitDeployment } from '../engine-events.js'
import { IDS_PER_STATEMENT } from '../job-store.js'
import { requestMergeRequestsOf } from './deployment-merge-request-store.js'
import { FINISHED_DEPLOYMENTS } from './deployment-status.js'

export type DeploymentRow = Selectable<DeploymentTable>

export function findDeploymentById(database: Database, id: number): Promise<DeploymentRow | undefined> {
  return database.selectFrom('deployment').selectAll().where('id', '=', id).executeTakeFirst()
}

/** The next `iid` of the project. Locks its counter until `tx` ends. */
export async function nextDeploymentIid(tx: Transaction, projectId: number): Promise<number> {
  const { last_iid } = await tx
    .insertInto('deployment_counter')
    .values({ project_id: projectId, last_iid: 1 })
    .onConflict((conflict) =>
      conflict
        .column('project_id')
        .doUpdateSet((eb) => ({ last_iid: eb('deployment_counter.last_iid', '+', 1) })),
    )
    .returning('last_iid')
    .executeTakeFirstOrThrow()
  return last_iid
}

export async function insertDeployment(
  tx: Transaction,
  deployment: Insertable<DeploymentTable>,
): Promise<DeploymentRow> {
  const row = await tx.insertInto('deployment').values(deployment).returningAll().executeTakeFirstOrThrow()
  emitDeployment(tx, row)
  if (row.status === 'success') await requestMergeRequestsOf(tx, row)
  return row
}

export async function updateDeployment(
  tx: Transaction,
  id: number,
  changes: Updateable<DeploymentTable>,
): Promise<DeploymentRow | undefined> {
  const row = await tx
    .updateTable('deployment')
    .set({ updated_at: Date.now(), ...changes })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  if (row && changes.status !== undefined) emitDeployment(tx, row)
  if (row && changes.status === 'success') await requestMergeRequestsOf(tx, row)
  return row
}

/** The jobs that deploy and have no deployment yet, in the order of their ids. */
export async function findJobsToDeploy(tx: Transaction, ids: number[]) {
  const found = []
  for (const some of chunks(ids, IDS_PER_STATEMENT)) {
    const rows = await tx
      .selectFrom('job')
      .innerJoin('pipeline', 'pipeline.id', 'job.pipeline_id')
      .leftJoin('deployment', 'deployment.job_id', 'job.id')
      .select(['job.id', 'job.project_id', 'job.environment_id', 'job.user_id', 'job.options'])
      .select(['pipeline.ref', 'pipeline.tag', 'pipeline.sha'])
      .where('job.id', 'in', some)
      .where('job.environment_action', '=', 'start')
      .where('job.environment_id', 'is not', null)
      .$narrowType<{ environment_id: number }>()
      .where('deployment.id', 'is', null)
      .orderBy('job.id')
      .execute()
    found.push(...rows)
  }
  return found.sort((one, other) => one.project_id - other.project_id || one.id - other.id)
}

export interface FollowedDeployment {
  id: number
  status: DeploymentStatus
  jobStatus: JobStatus
  jobFinishedAt: number | null
  approved_at: number | null
}

/** The unfinished deployments of a pipeline with their jobs; skipped ones can change again. */
export function findFollowedDeployments(tx: Transaction, pipelineId: number): Promise<FollowedDeployment[]> {
  return tx
    .selectFrom('deployment')
    .innerJoin('job', 'job.id', 'deployment.job_id')
    .select(['deployment.id', 'deployment.status', 'deployment.approved_at'])
    .select(['job.status as jobStatus', 'job.finished_at as jobFinishedAt'])
    .where('job.pipeline_id', '=', pipelineId)
    .where('job.environment_action', '=', 'start')
    .where('deployment.status', 'not in', FINISHED_DEPLOYMENTS)
    .orderBy('deployment.id')
    .execute()
}

/** Makes `to` the user of the deployments of `from`. */
export async function reassignDeployments(tx: Transaction, from: number, to: number): Promise<void> {
  await tx.updateTable('deployment').set({ user_id: to }).where('user_id', '=', from).execute()
}

/** Marks the deployment of a job as running after a runner took the job. */
export async function recordDeploymentRuns(tx: Transaction, jobIds: readonly number[]): Promise<void> {
  const rows = await tx
    .updateTable('deployment')
    .set({ status: 'running', updated_at: Date.now() })
    .where('job_id', 'in', jobIds)
    .returningAll()
    .execute()
  for (const row of rows) emitDeployment(tx, row)
}

/** The deployment that succeeded last. */
export function findLastDeployment(
  database: Database,
  environmentId: number,
): Promise<DeploymentRow | undefined> {
  return database
    .selectFrom('deployment')
    .selectAll()
    .where('environment_id', '=', environmentId)
    .where('status', '=', 'success')
    .orderBy('finished_at', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst()
}

/**
 * Deploy jobs that are older than a job with different code that has deployed to their environment (CI
 * language, 15.4).
 */
export async function findOutdated(database: Database, jobIds: number[]): Promise<Set<number>> {
  const outdated = new Set<number>()
  for (const some of chunks(jobIds, IDS_PER_STATEMENT)) {
    const rows = await database
      .selectFrom('job')
      .innerJoin('pipeline', 'pipeline.id', 'job.pipeline_id')
      .innerJoin('project', 'project.id', 'job.project_id')
      .select('job.id')
      .where('job.id', 'in', some)
      .where('job.environment_action', '=', 'start')
      .where('project.ci_forward_deployment_enabled', '=', true)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('deployment')
            .select('deployment.id')
            .whereRef('deployment.environment_id', '=', 'job.environment_id')
            .where('deployment.status', '=', 'success')
            .whereRef('deployment.job_id', '>', 'job.id')
            .whereRef('deployment.sha', '!=', 'pipeline.sha'),
        ),
      )
      .execute()
    for (const { id } of rows) outdated.add(id)
  }
  return outdated
}

/** The pipeline of the most recently created ended deployment to the environment. */
export async function findLastPipeline(
  database: Database,
  environmentId: number,
): Promise<number | undefined> {
  const row = await database
    .selectFrom('deployment')
    .innerJoin('job', 'job.id', 'deployment.job_id')
    .select('job.pipeline_id')
    .where('deployment.environment_id', '=', environmentId)
    .where('deployment.status', 'in', FINISHED_DEPLOYMENTS)
    .orderBy('deployment.id', 'desc')
    .executeTakeFirst()
  return row?.pipeline_id
}

/** Names of the stop jobs in a pipeline that its deployments declare for the environment. */
export async function findStopJobNames(
  database: Database,
  environmentId: number,
  pipelineId: number,
): Promise<string[]> {
  const rows = await database
    .selectFrom('deployment')
    .innerJoin('job', 'job.id', 'deployment.job_id')
    .select('deployment.on_stop')
    .distinct()
    .where('deployment.environment_id', '=', environmentId)
    .where('job.pipeline_id', '=', pipelineId)
    .where('deployment.status', 'in', FINISHED_DEPLOYMENTS)
    .where('deployment.on_stop', 'is not', null)
    .$narrowType<{ on_stop: string }>()
    .execute()
  return rows.map(({ on_stop }) => on_stop)
}

export async function deleteDeploymentRow(database: Database, id: number): Promise<void> {
  await database.deleteFrom('deployment').where('id', '=', id).execute()
}
