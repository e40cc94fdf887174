import type { Commit } from '../../../git/parse-commit.js'
import type { Database } from '../../database/connect.js'
import type { JobRow, PipelineRow } from '../../database/tables/pipeline-rows.js'
import { fullNamesOf } from '../../http/presenters/full-names.js'
import { usersById } from '../../http/presenters/users-by-id.js'
import { archivedTest } from '../engine/archived-jobs.js'
import type { EngineRepositories } from '../engine/engine-deps.js'
import { readableCommit } from '../engine/readable-commit.js'
import { findWaiting } from '../queue/waiting/find-waiting.js'
import type { Artifacts } from '../storage/artifacts/artifacts.js'
import { presentJob, presentRunnerJob } from './present.js'
import type { Job, RunnerJob } from './schema.js'
import { machinesOf, pipelinesById, projectsById, runnersById } from './store.js'

export interface DescribeJobsDeps {
  database: Database
  artifacts: Artifacts
  repositories: Pick<EngineRepositories, 'readCommit'>
  externalUrl: string
}

/** Returns public records of jobs, in the same order. Embedded records are read once for all jobs. */
export async function describeJobs(deps: DescribeJobsDeps, jobs: JobRow[]): Promise<Job[]> {
  const { database, externalUrl } = deps
  const pipelines = byId(await pipelinesById(database, idsOf(jobs, 'pipeline_id')))
  const projects = byId(await projectsById(database, idsOf(jobs, 'project_id')))
  const users = await usersById(database, idsOf(jobs, 'user_id'))
  const runners = byId(await runnersById(database, idsOf(jobs, 'runner_id')))
  const machines = await machinesOf(database, jobs)
  const artifacts = await deps.artifacts.ofJobs(jobs.map(({ id }) => id))
  const commits = await readCommits(deps, [...pipelines.values()])
  const waiting = await findWaiting(database, jobs, { withPosition: true })
  const isArchived = await archivedTest(database)
  const now = Date.now()
  return jobs.flatMap((job) => {
    const pipeline = pipelines.get(job.pipeline_id)
    const project = projects.get(job.project_id)
    // Deleting either deletes the job too, so the job was deleted while this list was built.
    if (!pipeline || !project) return []
    return presentJob(job, {
      projectUrl: `${externalUrl}/${project.full_path}`,
      externalUrl,
      pipeline,
      user: users.get(job.user_id),
      runner: runners.get(job.runner_id ?? 0),
      manager: machines.find(
        ({ runner_id, system_id }) => runner_id === job.runner_id && system_id === job.runner_system_id,
      ),
      commit: commits.get(pipeline.id),
      artifacts: artifacts.filter(({ job_id }) => job_id === job.id),
      waitingFor: waiting.get(job.id),
      isArchived: isArchived(job),
      now,
    })
  })
}

/**
 * Like `describeJobs`, for the jobs of one runner. They may belong to many projects, and each record shows
 * its own.
 */
export async function describeRunnerJobs(deps: DescribeJobsDeps, jobs: JobRow[]): Promise<RunnerJob[]> {
  const projects = byId(await projectsById(deps.database, idsOf(jobs, 'project_id')))
  const fullNames = await fullNamesOf(deps.database, [...projects.values()])
  const records = await describeJobs(deps, jobs)
  return records.flatMap((record) => {
    const project = projects.get(record.pipeline.project_id)
    return project ? presentRunnerJob(record, project, fullNames.get(project.id) ?? project.name) : []
  })
}

async function readCommits(
  { repositories }: DescribeJobsDeps,
  pipelines: PipelineRow[],
): Promise<Map<number, Commit | undefined>> {
  const commits = await Promise.all(
    pipelines.map(
      async ({ id, project_id, sha }) => [id, await readableCommit(repositories, project_id, sha)] as const,
    ),
  )
  return new Map(commits)
}

function idsOf(jobs: JobRow[], column: 'pipeline_id' | 'project_id' | 'user_id' | 'runner_id'): number[] {
  return [...new Set(jobs.flatMap((job) => job[column] ?? []))]
}

function byId<Row extends { id: number }>(rows: Row[]): Map<number, Row> {
  return new Map(rows.map((row) => [row.id, row]))
}
