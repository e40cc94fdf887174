import { isoSeconds } from '../../../../lib/iso-seconds.js'
import type { User } from '../../../access/caller.js'
import type { JobFacts, JobState, PipelineState } from '../outbox/pipeline-facts.js'
import { hookTimeOrNull, secondsFrom } from './hook-times.js'
import { environmentBlocks, runnerBlocks, sourcePipeline } from './job-parts.js'
import { findCommit, findUser, loadProject, type PayloadDeps } from './payload-deps.js'
import { fullRepositoryBlock, type ProjectAround, projectBlock, projectUrl } from './project-blocks.js'
import { userBlock } from './user-block.js'

/**
 * `build` (API, K5); `at` is the time of the event, in milliseconds since the epoch. Undefined if the project
 * was deleted.
 */
export async function jobPayload(deps: PayloadDeps, projectId: number | null, facts: JobFacts, at: number) {
  const around = await loadProject(deps, projectId)
  if (!around) return undefined
  const { job, pipeline } = facts
  const user = await findUser(deps, job.user_id)
  const origin = await sourcePipeline(deps, pipeline.id)
  return {
    object_kind: 'build',
    ref: job.ref,
    tag: job.tag,
    before_sha: pipeline.before_sha,
    sha: pipeline.sha,
    retries_count: await countRetries(deps, job, pipeline.id),
    ...buildKeys(job, at),
    pipeline_id: pipeline.id,
    runner: (await runnerBlocks(deps, [job])).get(job.runner_id ?? 0) ?? null,
    project_id: around.project.id,
    project_name: `${around.namespaceName} / ${around.project.name}`,
    user: user ? userBlock(user, around.externalUrl) : null,
    commit: await commitOfPipeline(deps, around, pipeline),
    repository: fullRepositoryBlock(around),
    project: projectBlock(around),
    environment: (await environmentBlocks(deps, [job])).get(job.id) ?? null,
    ...(origin && { source_pipeline: origin }),
  }
}

function buildKeys(job: JobState, at: number) {
  const end = job.finished_at ?? at
  return {
    build_id: job.id,
    build_name: job.name,
    build_stage: job.stage,
    build_status: job.status,
    build_created_at: hookTimeOrNull(job.created_at),
    build_created_at_iso: isoSeconds(job.created_at),
    build_started_at: hookTimeOrNull(job.started_at),
    build_started_at_iso: isoSecondsOrNull(job.started_at),
    build_finished_at: hookTimeOrNull(job.finished_at),
    build_finished_at_iso: isoSecondsOrNull(job.finished_at),
    build_duration: secondsFrom(job.started_at, end),
    build_queued_duration: secondsFrom(job.queued_at, job.started_at ?? end),
    build_allow_failure: job.allow_failure,
    build_failure_reason: job.failure_reason ?? 'unknown_failure',
  }
}

/** Number of earlier attempts of the same job. */
async function countRetries({ database }: PayloadDeps, job: JobState, pipelineId: number): Promise<number> {
  const { attempts } = await database
    .selectFrom('job')
    .select((eb) => eb.fn.countAll<number>().as('attempts'))
    .where('pipeline_id', '=', pipelineId)
    .where('name', '=', job.name)
    .where('id', '<', job.id)
    .executeTakeFirstOrThrow()
  return attempts
}

/** Receivers expect the ID of the pipeline as the ID of the commit. */
async function commitOfPipeline(deps: PayloadDeps, around: ProjectAround, pipeline: PipelineState) {
  const commit = await findCommit(deps, around.project.id, pipeline.sha)
  const author = commit && (await findAuthor(deps, commit.authorEmail))
  return {
    id: pipeline.id,
    name: pipeline.name,
    sha: pipeline.sha,
    message: commit?.message ?? null,
    author_name: commit?.authorName ?? null,
    author_email: commit?.authorEmail ?? null,
    author_url: author
      ? `${around.externalUrl}/${author.username}`
      : commit
        ? `mailto:${commit.authorEmail}`
        : projectUrl(around),
    status: pipeline.status,
    duration: pipeline.duration,
    started_at: hookTimeOrNull(pipeline.started_at),
    finished_at: hookTimeOrNull(pipeline.finished_at),
  }
}

function findAuthor({ database }: PayloadDeps, email: string): Promise<User | undefined> {
  return database.selectFrom('user').selectAll().where('email', '=', email).executeTakeFirst()
}

function isoSecondsOrNull(milliseconds: number | null): string | null {
  return milliseconds === null ? null : isoSeconds(milliseconds)
}
