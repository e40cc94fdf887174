import type { JobRow, NewJob } from '../../../database/tables/pipeline-rows.js'
import type { Transaction } from '../../../database/transaction.js'
import { UnexpectedStatusError } from '../errors.js'
import { findJob, findNeedsOf, insertJobs, insertNeeds, markRetried } from '../job-store.js'
import { findJobVariables, insertJobVariables } from '../job-variable-store.js'
import { isStillProtected } from '../permissions/run-protection.js'

/**
 * Replaces an ended job by a new attempt with the status `created`, owned by the user (CI language, 12.1).
 */
export async function cloneJob(tx: Transaction, job: JobRow, userId: number): Promise<JobRow> {
  if (!(await markRetried(tx, job.id))) throw new UnexpectedStatusError([job.id], 'the latest attempt')
  const [id = 0] = await insertJobs(tx, [newAttempt(job, userId, await isStillProtected(tx, job))])
  const needs = await findNeedsOf(tx, [job.id])
  await insertNeeds(
    tx,
    needs.map((need) => ({ ...need, job_id: id, pipeline_id: job.pipeline_id })),
  )
  const variables = await findJobVariables(tx, job.id)
  await insertJobVariables(
    tx,
    variables.map((variable) => ({ ...variable, job_id: id })),
  )
  return (await findJob(tx, id)) as JobRow
}

function newAttempt(job: JobRow, userId: number, isProtected: boolean): NewJob {
  const now = Date.now()
  return {
    project_id: job.project_id,
    pipeline_id: job.pipeline_id,
    stage_id: job.stage_id,
    stage: job.stage,
    stage_index: job.stage_index,
    name: job.name,
    kind: job.kind,
    status: 'created',
    when: job.when,
    // An exit code that excused one attempt does not excuse the next.
    allow_failure: job.allow_failure && !job.options.allowFailureCodes,
    scheduling_type: job.scheduling_type,
    interruptible: job.interruptible,
    priority: job.priority,
    start_in: job.start_in,
    options: JSON.stringify(job.options),
    yaml_variables: JSON.stringify(job.yaml_variables),
    tag_list: JSON.stringify(job.tag_list),
    resource_group_id: job.resource_group_id,
    environment_id: job.environment_id,
    environment_action: job.environment_action,
    ref: job.ref,
    tag: job.tag,
    protected: isProtected,
    user_id: userId,
    created_at: now,
    updated_at: now,
  }
}
