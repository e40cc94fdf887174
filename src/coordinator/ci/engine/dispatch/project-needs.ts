import type { Database } from '../../../database/connect.js'
import type { JobRow, UserRow } from '../../../database/tables/pipeline-rows.js'
import type { Transaction } from '../../../database/transaction.js'
import { mayReadArtifacts } from '../artifact-readers.js'
import type { EngineDeps } from '../engine-deps.js'
import { firstLost, type NamedJob } from '../jobs/job-dependencies.js'
import { type JobVariablesDeps, variablesOfStoredJob } from '../jobs/job-variables.js'
import { type DispatchProblem, missingDependency } from '../jobs/missing-capability.js'
import { findPipeline } from '../pipeline-store.js'
import { resolveStoredRef, type StoredRef, type StoredRefDeps } from '../stored-ref.js'
import type { Candidate } from './candidate.js'

export type ProjectNeedsDeps = Omit<JobVariablesDeps, 'database'> &
  Pick<StoredRefDeps, 'repositories'> &
  Pick<EngineDeps, 'outside'>

/** With variables expanded. */
interface ProjectNeed {
  project: string
  ref: string
  job: string
}

/** Whether the job fetches artifacts of other projects. */
export function needsProjects(job: Pick<JobRow, 'options'>): boolean {
  return projectNeedsOf(job).length > 0
}

function projectNeedsOf({ options }: Pick<JobRow, 'options'>) {
  return (options.foreignNeeds ?? []).flatMap((need) =>
    need.kind === 'project' && need.artifacts ? [need] : [],
  )
}

/** Jobs of other projects that were chosen for a job at dispatch, in the order of their ids. */
export function findProjectDependencies(database: Database, jobId: number): Promise<NamedJob[]> {
  return database
    .selectFrom('project_dependency as dependency')
    .innerJoin('job', 'job.id', 'dependency.needed_job_id')
    .select(['job.id', 'job.name'])
    .where('dependency.job_id', '=', jobId)
    .orderBy('job.id')
    .execute()
}

/**
 * Chooses the latest successful job with the given name and ref for each `needs:project` (CI language, 16.2),
 * with the permissions of the job's user. The choice is stored: a newer job that succeeds later does not
 * affect this one. Returns the reason if there is none. A need with `artifacts: false` is ignored.
 */
export async function resolveProjectNeeds(
  deps: ProjectNeedsDeps,
  tx: Transaction,
  candidate: Candidate,
): Promise<DispatchProblem | undefined> {
  const needs = await expandedNeeds(deps, tx, candidate)
  if (needs.length === 0) return undefined
  const chosen = new Set<number>()
  for (const need of needs) {
    const found = await chooseJob(deps, tx, candidate.user, need)
    if (typeof found === 'string') return missingDependency(found)
    chosen.add(found.id)
  }
  await storeChosenNeeds(tx, candidate.job.id, [...chosen])
  return undefined
}

async function expandedNeeds(
  deps: ProjectNeedsDeps,
  tx: Transaction,
  candidate: Candidate,
): Promise<ProjectNeed[]> {
  const needs = projectNeedsOf(candidate.job)
  if (needs.length === 0) return []
  const asking = { ...candidate, pipeline: await findPipeline(tx, candidate.job.pipeline_id) }
  const { seen } = await variablesOfStoredJob({ ...deps, database: tx }, asking, { forOtherProject: false })
  return needs.map(({ project, ref, job }) => ({
    project: seen.expand(project, 'empty'),
    ref: seen.expand(ref, 'empty'),
    job: seen.expand(job, 'empty'),
  }))
}

/** Returns a message if there is no such job. */
async function chooseJob(
  { outside, repositories }: ProjectNeedsDeps,
  tx: Transaction,
  user: UserRow,
  { project: path, ref, job: name }: ProjectNeed,
): Promise<JobRow | string> {
  const readable = await outside.projectWithJobs(tx, user, path)
  if (!readable) {
    return `Project "${path}" does not exist or ${user.username} may not see its jobs: check needs:project, or request access.`
  }
  const on = await resolveStoredRef({ database: tx, repositories }, readable.project.id, ref)
  const job = await latestSuccess(tx, readable.project.id, on, name)
  if (!job) {
    return `The project "${path}" has no successful job "${name}" on "${ref}": run it there, or check needs:job and needs:ref.`
  }
  if (!mayReadArtifacts(readable.accessLevel, job.options.artifacts)) {
    return `The artifacts of the job "${name}" of "${path}" are not for ${user.username}: see artifacts:access there.`
  }
  if (await firstLost(tx, [job])) {
    return `The artifacts of the job "${name}" (${job.id}) of "${path}" have expired or were erased: retry that job.`
  }
  return job
}

function latestSuccess(
  database: Database,
  projectId: number,
  { ref, tag }: StoredRef,
  name: string,
): Promise<JobRow | undefined> {
  return database
    .selectFrom('job')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('ref', '=', ref)
    .where('tag', '=', tag)
    .where('name', '=', name)
    .where('status', '=', 'success')
    .where('retried', '=', false)
    .where('kind', '=', 'build')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** A requeued job may have an earlier choice. */
async function storeChosenNeeds(tx: Transaction, jobId: number, neededJobIds: number[]): Promise<void> {
  await tx.deleteFrom('project_dependency').where('job_id', '=', jobId).execute()
  if (neededJobIds.length === 0) return
  const rows = neededJobIds.map((needed_job_id) => ({ job_id: jobId, needed_job_id }))
  await tx.insertInto('project_dependency').values(rows).execute()
}
