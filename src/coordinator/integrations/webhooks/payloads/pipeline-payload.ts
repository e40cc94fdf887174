import { statusSymbol } from '../../../ci/engine/advance/composite-status.js'
import { findMergeRequestOfPipeline } from '../../../ci/engine/merge-request-store.js'
import { pipelineVariables } from '../../../ci/predefined-variables/stored-variables.js'
import { statusLabel } from '../../../http/presenters/status-label.js'
import type { JobState, PipelineFacts } from '../outbox/pipeline-facts.js'
import { hookTime, hookTimeOrNull, secondsFrom } from './hook-times.js'
import { environmentBlocks, runnerBlocks, sourcePipeline } from './job-parts.js'
import { findCommit, findUser, findUsers, loadProject, type PayloadDeps } from './payload-deps.js'
import { commitBlock, type ProjectAround, projectBlock, projectUrl } from './project-blocks.js'
import { userBlock } from './user-block.js'

/**
 * `pipeline` (API, K5); `at` is the time of the event, in milliseconds since the epoch. Undefined if the
 * project was deleted.
 */
export async function pipelinePayload(
  deps: PayloadDeps,
  projectId: number | null,
  { pipeline, jobs }: PipelineFacts,
  at: number,
) {
  const around = await loadProject(deps, projectId)
  if (!around) return undefined
  const user = await findUser(deps, pipeline.user_id)
  const commit = await findCommit(deps, around.project.id, pipeline.sha)
  const origin = await sourcePipeline(deps, pipeline.id)
  return {
    object_kind: 'pipeline',
    object_attributes: await attributes(deps, around, { pipeline, jobs }),
    merge_request: await mergeRequestBlock(deps, pipeline.id),
    user: user ? userBlock(user, around.externalUrl) : null,
    project: projectBlock(around),
    commit: commit ? commitBlock(commit, around) : null,
    ...(origin && { source_pipeline: origin }),
    builds: await builds(deps, around, jobs, at),
  }
}

/** Null for the pipeline of a branch or tag. */
async function mergeRequestBlock(deps: PayloadDeps, pipelineId: number) {
  const { database, externalUrl } = deps
  const row = await findMergeRequestOfPipeline(database, pipelineId)
  if (!row) return null
  const { full_path } = await database
    .selectFrom('project')
    .select('full_path')
    .where('id', '=', row.project_id)
    .executeTakeFirstOrThrow()
  return {
    id: row.id,
    iid: row.iid,
    title: row.title,
    source_branch: row.source_branch,
    source_project_id: row.source_project_id,
    target_branch: row.target_branch,
    target_project_id: row.project_id,
    state: row.state,
    merge_status: row.merge_status,
    detailed_merge_status: (await deps.mergeRequestState(row)).detailed_merge_status,
    url: `${externalUrl}/${full_path}/-/merge_requests/${row.iid}`,
  }
}

async function attributes(deps: PayloadDeps, around: ProjectAround, { pipeline, jobs }: PipelineFacts) {
  const { id, iid, name, ref, tag, sha, before_sha, source, status, duration } = pipeline
  const variables = await pipelineVariables(deps, id)
  const queued = secondsFrom(pipeline.created_at, pipeline.started_at ?? pipeline.created_at)
  return {
    id,
    iid,
    name,
    ref,
    tag,
    sha,
    before_sha,
    source,
    status,
    detailed_status: statusLabel(status, jobs.some(isWarning)).label,
    stages: await stageNames(deps, id),
    created_at: hookTime(pipeline.created_at),
    finished_at: hookTimeOrNull(pipeline.finished_at),
    duration,
    queued_duration: pipeline.started_at === null || queued === null ? null : Math.floor(queued),
    variables: variables.map(({ key, value }) => ({ key, value })),
    url: `${projectUrl(around)}/-/pipelines/${id}`,
  }
}

function isWarning({ status, allow_failure }: JobState): boolean {
  return statusSymbol({ status, allowFailure: allow_failure }) === 'warning'
}

async function stageNames({ database }: PayloadDeps, pipelineId: number): Promise<string[]> {
  const stages = await database
    .selectFrom('stage')
    .select('name')
    .where('pipeline_id', '=', pipelineId)
    .orderBy('position')
    .execute()
  return stages.map(({ name }) => name)
}

/** Job blocks, read in a constant number of queries. */
async function builds(deps: PayloadDeps, around: ProjectAround, jobs: JobState[], at: number) {
  const runners = await runnerBlocks(deps, jobs)
  const environments = await environmentBlocks(deps, jobs)
  const users = await findUsers(
    deps,
    jobs.map(({ user_id }) => user_id),
  )
  const archives = await findArchives(deps, jobs)
  return jobs.map((job) => {
    const user = users.get(job.user_id)
    const end = job.finished_at ?? at
    return {
      id: job.id,
      stage: job.stage,
      name: job.name,
      status: job.status,
      created_at: hookTime(job.created_at),
      started_at: hookTimeOrNull(job.started_at),
      finished_at: hookTimeOrNull(job.finished_at),
      duration: secondsFrom(job.started_at, end),
      queued_duration: secondsFrom(job.queued_at, job.started_at ?? end),
      failure_reason: job.status === 'failed' ? (job.failure_reason ?? 'unknown_failure') : null,
      when: job.when,
      manual: job.when === 'manual',
      allow_failure: job.allow_failure,
      user: user ? userBlock(user, around.externalUrl) : null,
      runner: runners.get(job.runner_id ?? 0) ?? null,
      artifacts_file: archives.get(job.id) ?? { filename: null, size: null },
      environment: environments.get(job.id) ?? null,
    }
  })
}

async function findArchives(
  { database }: PayloadDeps,
  jobs: JobState[],
): Promise<Map<number, { filename: string; size: number }>> {
  if (jobs.length === 0) return new Map()
  const rows = await database
    .selectFrom('job_artifact')
    .select(['job_id', 'filename', 'size'])
    .where('file_type', '=', 'archive')
    .where('blob_key', '!=', '')
    .where(
      'job_id',
      'in',
      jobs.map(({ id }) => id),
    )
    .execute()
  return new Map(rows.map(({ job_id, filename, size }) => [job_id, { filename, size }]))
}
