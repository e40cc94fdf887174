import type { Plan, PlannedJob } from '../../../../ci-config/plan.js'
import type { NewJob, PipelineRow } from '../../../database/tables/pipeline-rows.js'
import type { StoredJobOptions } from '../../../database/tables/pipelines.js'
import type { Transaction } from '../../../database/transaction.js'
import { groupKeysOf } from '../advance/resource-groups/group-keys.js'
import { ensureResourceGroups } from '../advance/resource-groups/store.js'
import { ensureEnvironments } from '../deployments/ensure-environments.js'
import { insertJobs, insertNeeds } from '../job-store.js'
import { insertStages } from '../stage-store.js'

/**
 * Stores the jobs of a new pipeline, all `created`, and the non-empty stages (CI language, 9.7). Returns the
 * ids of jobs whose environment cannot be created.
 */
export async function storePlan(tx: Transaction, pipeline: PipelineRow, plan: Plan): Promise<number[]> {
  const stageIds = await insertStages(tx, stagesOf(pipeline, plan))
  const groupIds = await ensureResourceGroups(tx, pipeline.project_id, groupKeysOf(plan))
  const by = { projectId: pipeline.project_id, userId: pipeline.user_id }
  const environments = await ensureEnvironments(tx, by, plan.jobs)
  const rows = plan.jobs.map((job) => ({
    ...newJob(pipeline, job, stageIds.get(job.stageIndex) as number),
    resource_group_id: groupIds.get(job.resourceGroup ?? '') ?? null,
    environment_id: environments.get(job.environment?.name ?? '') ?? null,
    environment_action: job.environment?.action ?? null,
  }))
  const ids = await insertJobs(tx, rows)
  await insertNeeds(
    tx,
    plan.jobs.flatMap((job, index) =>
      job.needs.map((need) => ({ ...need, job_id: ids[index] as number, pipeline_id: pipeline.id })),
    ),
  )
  return ids.filter((_, index) => rows[index]?.environment_action && rows[index].environment_id === null)
}

function stagesOf(pipeline: PipelineRow, plan: Plan) {
  const names = new Map(plan.jobs.map((job) => [job.stageIndex, job.stage]))
  return [...names]
    .sort(([a], [b]) => a - b)
    .map(([position, name]) => ({ pipeline_id: pipeline.id, name, position, status: 'created' as const }))
}

function newJob(pipeline: PipelineRow, job: PlannedJob, stageId: number): NewJob {
  return {
    project_id: pipeline.project_id,
    pipeline_id: pipeline.id,
    stage_id: stageId,
    stage: job.stage,
    stage_index: job.stageIndex,
    name: job.name,
    kind: isBridge(job) ? 'bridge' : 'build',
    status: 'created',
    when: job.when,
    allow_failure: job.allowFailure,
    scheduling_type: job.schedulingType,
    interruptible: job.interruptible,
    priority: job.priority ?? 0,
    start_in: job.startIn ?? null,
    options: JSON.stringify(storedOptions(job)),
    yaml_variables: JSON.stringify(job.variables),
    tag_list: JSON.stringify(job.tags),
    ref: pipeline.ref,
    tag: pipeline.tag,
    protected: pipeline.protected,
    user_id: pipeline.user_id,
    created_at: pipeline.created_at,
    updated_at: pipeline.created_at,
  }
}

function isBridge({ trigger, mirrors }: PlannedJob): boolean {
  return trigger !== undefined || mirrors !== undefined
}

function storedOptions({ options, environment, parallel, trigger, mirrors }: PlannedJob): StoredJobOptions {
  return {
    ...options,
    ...(environment && { environment }),
    ...(parallel && { parallel }),
    ...(trigger && { trigger }),
    ...(mirrors !== undefined && { mirrors }),
  }
}
