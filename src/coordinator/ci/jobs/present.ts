import type { Commit } from '../../../git/parse-commit.js'
import { mergeRecords } from '../../../lib/merge-records.js'
import type { Project, User } from '../../access/caller.js'
import type { JobRow, PipelineRow, RunnerRow } from '../../database/tables/pipeline-rows.js'
import { presentCommit } from '../../http/presenters/present-commit.js'
import { presentPipelineBrief } from '../../http/presenters/present-pipeline.js'
import { presentRunnerManager } from '../../http/presenters/present-runner-manager.js'
import { isoTime, isoTimeOrNull } from '../../http/presenters/present-time.js'
import { presentUser } from '../../http/presenters/present-user.js'
import { FINISHED_STATUSES } from '../engine/job-status.js'
import { presentRunnerBrief } from '../queue/present-runner-brief.js'
import { connectionStatus } from '../queue/runner-status.js'
import type { Artifact } from '../storage/artifacts/artifacts.js'
import type { Job, JobArtifactFile, RunnerJob, WaitingFor } from './schema.js'
import type { ManagerRow } from './store.js'

/** The related rows that a record of a job embeds. */
export interface JobSurroundings {
  /** URL of the project's pages, without a trailing slash. */
  projectUrl: string
  externalUrl: string
  pipeline: PipelineRow
  user: User | undefined
  runner: RunnerRow | undefined
  /** The machine of the runner. */
  manager: ManagerRow | undefined
  commit: Commit | undefined
  artifacts: Artifact[]
  waitingFor: WaitingFor | undefined
  isArchived: boolean
  now: number
}

export function presentJob(job: JobRow, around: JobSurroundings): Job {
  const { artifacts, user, runner, manager, commit, projectUrl, pipeline, waitingFor, now } = around
  const archive = artifacts.find(({ file_type }) => file_type === 'archive')
  return mergeRecords(
    stateOf(job, now),
    job.status === 'failed' ? { failure_reason: job.failure_reason ?? 'unknown_failure' } : {},
    waitingFor ? { waiting_for: waitingFor } : {},
    {
      user: user ? presentUser(user, around.externalUrl) : null,
      commit: commit ? presentCommit(commit, projectUrl) : null,
      pipeline: presentPipelineBrief(pipeline, projectUrl),
      project: { ci_job_token_scope_enabled: false },
      web_url: `${projectUrl}/-/jobs/${job.id}`,
    },
    archive ? { artifacts_file: { filename: archive.filename, size: archive.size } } : {},
    {
      artifacts: presentFiles(job, artifacts),
      artifacts_expire_at: isoTimeOrNull((archive ?? artifacts[0])?.expire_at),
      runner: runner ? presentRunnerBrief(runner, now) : null,
      runner_manager: manager ? presentRunnerManager(manager, connectionStatus(manager, now)) : null,
      archived: around.isArchived,
      source: pipeline.source,
      tag_list: job.tag_list,
    },
  )
}

function stateOf(job: JobRow, now: number) {
  return {
    id: job.id,
    status: job.status,
    stage: job.stage,
    name: job.name,
    ref: job.ref,
    tag: job.tag,
    coverage: job.coverage,
    allow_failure: job.allow_failure,
    created_at: isoTime(job.created_at),
    started_at: isoTimeOrNull(job.started_at),
    finished_at: isoTimeOrNull(job.finished_at),
    scheduled_at: isoTimeOrNull(job.scheduled_at),
    erased_at: isoTimeOrNull(job.erased_at),
    duration: secondsBetween(job.started_at, endOf(job, now)),
    queued_duration: secondsBetween(job.queued_at, job.started_at ?? endOf(job, now)),
  }
}

export function presentRunnerJob(job: Job, project: Project, fullName: string): RunnerJob {
  const { id, name, path, full_path, description, created_at } = project
  return {
    ...job,
    ip_address: job.runner?.ip_address ?? null,
    project: {
      ...job.project,
      id,
      description,
      name,
      name_with_namespace: fullName,
      path,
      path_with_namespace: full_path,
      created_at: isoTime(created_at),
    },
  }
}

function endOf(job: JobRow, now: number): number {
  return FINISHED_STATUSES.some((status) => status === job.status) ? (job.finished_at ?? now) : now
}

function secondsBetween(start: number | null, end: number | null): number | null {
  return start === null || end === null ? null : Math.max(0, end - start) / 1000
}

/** Lists the log as a file once it is complete. */
function presentFiles({ trace_bytes }: JobRow, artifacts: Artifact[]): JobArtifactFile[] {
  const files: JobArtifactFile[] = artifacts.map(presentArtifact)
  if (!trace_bytes) return files
  return [...files, { file_type: 'trace', size: trace_bytes, filename: 'job.log', file_format: null }]
}

function presentArtifact({ file_type, size, filename, file_format }: Artifact): JobArtifactFile {
  return { file_type, size, filename, file_format }
}
