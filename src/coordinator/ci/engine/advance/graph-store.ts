import { valuesBy } from '../../../../lib/group-by.js'
import type { Database } from '../../../database/connect.js'
import { preparedRead } from '../../../database/prepared-read.js'
import type { Placeholder } from '../../../database/prepared-statement.js'
import { findOutdated } from '../deployments/deployment-store.js'
import type { GraphJob } from './transitions.js'

export interface LoadedJob extends GraphJob {
  /** The job creates a deployment when it becomes ready. */
  deploys: boolean
  projectId: number
  hasEnvironment: boolean
}

/** The latest jobs of a pipeline as the state machine sees them, in the order of their ids. */
export async function loadGraph(database: Database, pipelineId: number): Promise<LoadedJob[]> {
  const needs = valuesBy(await needsInPipeline(database, { pipelineId }), ({ job_id, name }) => [
    job_id,
    name,
  ])
  const jobs = await graphJobs(database, { pipelineId })
  const toDeploy = jobs.filter((job) => job.environment_action === 'start' && job.status === 'created')
  const outdated = await findOutdated(
    database,
    toDeploy.map(({ id }) => id),
  )
  return jobs.map((job) => ({
    id: job.id,
    name: job.name,
    status: job.status,
    allowFailure: job.allow_failure,
    stageId: job.stage_id,
    stageIndex: job.stage_index,
    when: job.when,
    schedulingType: job.scheduling_type,
    needs: needs.get(job.id) ?? [],
    resourceGroupId: job.resource_group_id ?? undefined,
    deploys: job.environment_action === 'start',
    projectId: job.project_id,
    hasEnvironment: job.environment_action !== null,
    isOutdated: outdated.has(job.id),
  }))
}

interface OfPipeline extends Record<string, Placeholder<unknown>> {
  pipelineId: Placeholder<number>
}

/** Without large columns; options and variables are not needed. */
const graphJobs = preparedRead((database, { pipelineId }: OfPipeline) =>
  database
    .selectFrom('job')
    .select([
      'id',
      'name',
      'status',
      'allow_failure',
      'stage_id',
      'stage_index',
      'when',
      'scheduling_type',
      'resource_group_id',
      'environment_action',
      'project_id',
    ])
    .where('pipeline_id', '=', pipelineId)
    .where('retried', '=', false)
    .orderBy('id'),
)

const needsInPipeline = preparedRead((database, { pipelineId }: OfPipeline) =>
  database
    .selectFrom('job_need')
    .innerJoin('job', 'job.id', 'job_need.job_id')
    .select(['job_need.job_id', 'job_need.name'])
    .where('job.pipeline_id', '=', pipelineId)
    .where('job.retried', '=', false),
)
