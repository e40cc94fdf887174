import type { Project, User } from '../../access/caller.js'
import type { ProjectPermission } from '../../access/permissions.js'
import type { JobRow } from '../../database/tables/pipeline-rows.js'
import { notFound } from '../../http/errors.js'
import type { EngineDeps } from '../engine/engine-deps.js'
import type { TraceReaders } from '../signals/trace-readers.js'
import type { Artifacts } from '../storage/artifacts/artifacts.js'
import type { TraceIndexes } from '../storage/trace-indexes.js'
import type { Traces } from '../storage/traces.js'
import { describeJobs, type DescribeJobsDeps } from './describe-jobs.js'
import type { Job } from './schema.js'
import { findJobOfProject } from './store.js'

export interface JobOperationsDeps {
  engine: EngineDeps
  artifacts: Artifacts
  traces: Traces
  traceIndexes: TraceIndexes
  traceReaders: TraceReaders
  /** Public address without a trailing slash. */
  externalUrl: string
  /** Returns the runner and the projects whose jobs the user may see (undefined = all). Throws 403 or 404. */
  runnerFor: (user: User, runnerId: number) => Promise<{ id: number; projectIds: number[] | undefined }>
  /** Whether a user, or an anonymous caller, has this permission in a project. */
  maySee: (what: SeenInProject, user: User | undefined, project: Project) => Promise<boolean>
}

/** Permissions that are checked in projects other than the one of the request. */
export type SeenInProject = Extract<ProjectPermission, 'read_pipelines' | 'read_code'>

/** The job if it belongs to the project; throws 404 otherwise. */
export async function jobOf(deps: JobOperationsDeps, project: Project, id: number): Promise<JobRow> {
  const job = await jobOrBridgeOf(deps, project, id)
  if (job.kind !== 'build') throw notFound()
  return job
}

/** Like `jobOf`, for operations that accept trigger jobs too. */
export async function jobOrBridgeOf(deps: JobOperationsDeps, project: Project, id: number): Promise<JobRow> {
  const job = await findJobOfProject(deps.engine.database, project.id, id)
  if (!job) throw notFound()
  return job
}

/** The dependencies of `describeJobs`. */
export function describing({ engine, artifacts, externalUrl }: JobOperationsDeps): DescribeJobsDeps {
  const { database, repositories } = engine
  return { database, repositories, artifacts, externalUrl }
}

/** The public record; throws 404 for a job that was deleted in the meantime. */
export async function jobRecord(deps: JobOperationsDeps, job: JobRow): Promise<Job> {
  const [record] = await describeJobs(describing(deps), [job])
  if (!record) throw notFound()
  return record
}
