import { chunks } from '../../../../lib/chunks.js'
import { valuesBy } from '../../../../lib/group-by.js'
import type { DeploymentRow } from '../../../ci/engine/deployments/deployment-store.js'
import type { EngineEvents } from '../../../ci/engine/engine-events.js'
import { IDS_PER_STATEMENT } from '../../../ci/engine/job-store.js'
import type { Transaction } from '../../../database/transaction.js'
import { type HookOfProject, hooksOfPipelineParts } from '../hook-store.js'
import { type NewEvent, storeEvents } from './outbox.js'
import {
  type DeploymentFacts,
  JOB_COLUMNS,
  type JobFacts,
  type JobState,
  PIPELINE_COLUMNS,
  type PipelineFacts,
  type PipelineState,
  stateIn,
} from './pipeline-facts.js'

type Flag = 'job_events' | 'pipeline_events' | 'deployment_events'

/** Returns the hooks of a project and of its groups that have a flag set. */
type Listeners = (projectId: number, flag: Flag) => HookOfProject[]

/** Deployment statuses that emit an event (API, K3). */
const EMITTED_DEPLOYMENTS: readonly DeploymentRow['status'][] = ['running', 'success', 'failed', 'canceled']

/** Writes the events of the engine for the subscribed hooks. Without such hooks, this costs one query. */
export async function storePipelineEvents(tx: Transaction, events: EngineEvents): Promise<void> {
  const hooks = await findHooks(tx, events)
  if (hooks.length === 0) return
  const listeners: Listeners = (projectId, flag) =>
    hooks.filter((hook) => hook.of_project === projectId && hook[flag])
  await storeEvents(tx, [
    ...(hooks.some(({ job_events }) => job_events) ? await jobEvents(tx, events, listeners) : []),
    ...(hooks.some(({ pipeline_events }) => pipeline_events)
      ? await pipelineEvents(tx, events, listeners)
      : []),
    ...events.deployments.flatMap((deployment) => deploymentEvents(deployment, listeners)),
  ])
}

/** Hooks of all projects of the events. */
function findHooks(
  tx: Transaction,
  { jobs, pipelines, deployments }: EngineEvents,
): Promise<HookOfProject[]> {
  return hooksOfPipelineParts(tx, {
    jobIds: [...new Set(jobs.flatMap(({ ids }) => ids[0] ?? []))],
    pipelineIds: [...new Set(pipelines.map(({ id }) => id))],
    deploymentIds: [...new Set(deployments.map(({ id }) => id))],
  })
}

async function jobEvents(tx: Transaction, { jobs }: EngineEvents, listeners: Listeners): Promise<NewEvent[]> {
  const rows = await findJobStates(
    tx,
    jobs.flatMap(({ ids }) => ids),
  )
  const pipelines = await findPipelineStates(
    tx,
    [...rows.values()].map(({ pipeline_id }) => pipeline_id),
  )
  return jobs.flatMap(({ ids, status }) =>
    ids.flatMap((id) => {
      const row = rows.get(id)
      const pipeline = row && pipelines.get(row.pipeline_id)
      if (!row || !pipeline) return []
      const { project_id, pipeline_id: _, ...job } = row
      const facts: JobFacts = { job: stateIn(status, job), pipeline: pipeline.state }
      const hooks = listeners(project_id, 'job_events')
      return { projectId: project_id, trigger: 'job_events', kind: 'job', facts, hooks }
    }),
  )
}

async function pipelineEvents(
  tx: Transaction,
  { pipelines }: EngineEvents,
  listeners: Listeners,
): Promise<NewEvent[]> {
  const ids = [...new Set(pipelines.map(({ id }) => id))]
  const states = await findPipelineStates(tx, ids)
  const jobs = await findJobsOfPipelines(tx, ids)
  return pipelines.flatMap(({ id, status }) => {
    const found = states.get(id)
    if (!found) return []
    const facts: PipelineFacts = { pipeline: { ...found.state, status }, jobs: jobs.get(id) ?? [] }
    const hooks = listeners(found.projectId, 'pipeline_events')
    return { projectId: found.projectId, trigger: 'pipeline_events', kind: 'pipeline', facts, hooks }
  })
}

function deploymentEvents(row: DeploymentRow, listeners: Listeners): NewEvent[] {
  if (!EMITTED_DEPLOYMENTS.includes(row.status)) return []
  const { id, project_id, job_id, environment_id, user_id, status, ref, sha } = row
  const facts: DeploymentFacts = {
    id,
    status,
    ref,
    sha,
    jobId: job_id,
    environmentId: environment_id,
    userId: user_id,
    changedAt: row.finished_at ?? row.updated_at,
  }
  const hooks = listeners(project_id, 'deployment_events')
  return [{ projectId: project_id, trigger: 'deployment_events', kind: 'deployment', facts, hooks }]
}

type FoundJob = JobState & { project_id: number; pipeline_id: number }

/** Job states by ID; trigger jobs have no events (API, K3). */
async function findJobStates(tx: Transaction, ids: number[]): Promise<Map<number, FoundJob>> {
  const found = new Map<number, FoundJob>()
  for (const some of chunks([...new Set(ids)], IDS_PER_STATEMENT)) {
    const rows = await tx
      .selectFrom('job')
      .select([...JOB_COLUMNS, 'project_id', 'pipeline_id'])
      .where('id', 'in', some)
      .where('kind', '=', 'build')
      .execute()
    for (const row of rows) found.set(row.id, row)
  }
  return found
}

interface FoundPipeline {
  projectId: number
  state: PipelineState
}

async function findPipelineStates(tx: Transaction, ids: number[]): Promise<Map<number, FoundPipeline>> {
  if (ids.length === 0) return new Map()
  const rows = await tx
    .selectFrom('pipeline')
    .select([...PIPELINE_COLUMNS, 'project_id'])
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map(({ project_id, ...state }) => [state.id, { projectId: project_id, state }]))
}

async function findJobsOfPipelines(tx: Transaction, ids: number[]): Promise<Map<number, JobState[]>> {
  if (ids.length === 0) return new Map()
  const rows = await tx
    .selectFrom('job')
    .select([...JOB_COLUMNS, 'pipeline_id'])
    .where('pipeline_id', 'in', ids)
    .where('retried', '=', false)
    .where('kind', '=', 'build')
    .orderBy('id')
    .execute()
  return valuesBy(rows, ({ pipeline_id, ...job }) => [pipeline_id, job])
}
