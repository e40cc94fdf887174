import { randomBytes } from 'node:crypto'

import type { Plan } from '../../../../../src/ci-config/plan.js'
import { VariableCollection } from '../../../../../src/ci-config/variables/variable-collection.js'
import { createPipeline } from '../../../../../src/coordinator/ci/engine/create/create-pipeline.js'
import type { PipelineRequest } from '../../../../../src/coordinator/ci/engine/create/pipeline-request.js'
import { storePipeline } from '../../../../../src/coordinator/ci/engine/create/store-pipeline.js'
import { dispatchJob } from '../../../../../src/coordinator/ci/engine/dispatch/dispatch-job.js'
import type { DispatchedJob } from '../../../../../src/coordinator/ci/engine/dispatch/start-claimed.js'
import type { EngineDeps } from '../../../../../src/coordinator/ci/engine/engine-deps.js'
import { EngineNotifications } from '../../../../../src/coordinator/ci/engine/engine-notifications.js'
import { finishJob } from '../../../../../src/coordinator/ci/engine/finish/finish-job.js'
import { DEFAULT_PIPELINE_LIMITS } from '../../../../../src/coordinator/ci/engine/pipeline-limits.js'
import { findPipeline } from '../../../../../src/coordinator/ci/engine/pipeline-store.js'
import { JobQueue } from '../../../../../src/coordinator/ci/queue/job-queue.js'
import { SecretBox } from '../../../../../src/coordinator/crypto/secret-box.js'
import { connectDatabase } from '../../../../../src/coordinator/database/connect.js'
import type { JobStatus } from '../../../../../src/coordinator/database/tables/job-columns.js'
import type {
  JobRow,
  PipelineRow,
  ProjectRow,
  RunnerRow,
  UserRow,
} from '../../../../../src/coordinator/database/tables/pipeline-rows.js'
import { inTransaction } from '../../../../../src/coordinator/database/transaction.js'
import { createLogger } from '../../../../../src/lib/logger.js'
import type { FailureReason } from '../../../../../src/protocol/failure-reason.js'
import type { OpenDatabase, TestDatabase } from '../../../../support/databases.js'
import { onFinished } from '../../../../support/lifetime.js'
import { FakeRepositories, NO_SHA, SHA } from './fake-repositories.js'
import { NO_ARTIFACTS, NO_TRACES, NOTHING_OUTSIDE } from './nothing-outside.js'
import { addProject, addRunner, addUser } from './records.js'

/** An engine on an empty store with one user, one project and one instance runner. */
export interface TestEngine {
  store: TestDatabase
  deps: EngineDeps
  repositories: FakeRepositories
  user: UserRow
  project: ProjectRow
  runner: RunnerRow
}

export async function openEngine(open: OpenDatabase): Promise<TestEngine> {
  const store = await open()
  const repositories = new FakeRepositories()
  const deps = engineDeps(store, repositories)
  const user = await addUser(store.database)
  const project = await addProject(store.database, user)
  return { store, deps, repositories, user, project, runner: await addRunner(store.database) }
}

function engineDeps(
  store: Pick<TestDatabase, 'database' | 'dialect'>,
  repositories: FakeRepositories,
): EngineDeps {
  const { database, dialect } = store
  const logger = createLogger('test', 'silent')
  const queue = new JobQueue({ database, dialect, logger })
  onFinished(() => queue.stop())
  return {
    database,
    dialect,
    queue,
    lease: { firstContactSeconds: 60, seconds: 300 },
    // Tests create pipelines faster than a project may.
    limits: { ...DEFAULT_PIPELINE_LIMITS, pipelinesPerMinute: 0 },
    secrets: new SecretBox(randomBytes(32)),
    repositories,
    server: {
      externalUrl: 'http://switchyard.example',
      version: '1.2.3',
      revision: 'abc',
      sites: { artifactsUrl: 'http://switchyard.example' },
    },
    outside: NOTHING_OUTSIDE,
    artifacts: NO_ARTIFACTS,
    traces: NO_TRACES,
    jobVariables: async (job) => VariableCollection.of(job.yaml_variables),
    notifications: new EngineNotifications(),
    logger,
  }
}

/** The services of a second coordinator process on the same store. */
export function secondCoordinator(engine: TestEngine): EngineDeps {
  const database = connectDatabase(engine.store.settings)
  onFinished(() => database.destroy())
  return engineDeps({ database, dialect: engine.store.dialect }, engine.repositories)
}

/**
 * Another coordinator for work at the same time. On SQLite it shares the connection: a process cannot wait for a
 * transaction that it runs itself.
 */
export function concurrentCoordinator(engine: TestEngine): EngineDeps {
  return engine.store.dialect === 'postgres' ? secondCoordinator(engine) : engine.deps
}

export function requestFor(engine: TestEngine, changes: Partial<PipelineRequest> = {}): PipelineRequest {
  return {
    project: engine.project,
    user: engine.user,
    ref: 'main',
    refType: 'branch',
    sha: SHA,
    beforeSha: NO_SHA,
    source: 'push',
    ...changes,
  }
}

/** Creates a pipeline from a valid CI file. */
export async function pipelineOf(
  engine: TestEngine,
  ciFile: string,
  changes: Partial<PipelineRequest> = {},
): Promise<PipelineRow> {
  engine.repositories.ciFile = ciFile
  const creation = await createPipeline(engine.deps, requestFor(engine, changes))
  if (creation.kind === 'refused') throw new Error(creation.message)
  return creation.pipeline
}

/** Creates a pipeline from a plan, without a CI file. */
export function pipelineOfPlan(
  engine: TestEngine,
  plan: Plan,
  changes: Partial<PipelineRequest> = {},
): Promise<PipelineRow> {
  const { deps } = engine
  return inTransaction(deps.database, (tx) =>
    storePipeline(deps, tx, requestFor(engine, changes), { kind: 'jobs', plan }, false),
  )
}

export const ALL_FEATURES = { artifacts_exclude: true, cancel_gracefully: true, return_exit_code: true }

/** The next job that the runner gets. */
export function nextJob(
  engine: TestEngine,
  runner = engine.runner,
  features: Record<string, unknown> = ALL_FEATURES,
): Promise<DispatchedJob | undefined> {
  return dispatchJob(engine.deps, { runner, features })
}

/** Takes the next job, which must have this name. */
export async function takeJob(
  engine: TestEngine,
  name: string,
  runner = engine.runner,
): Promise<DispatchedJob> {
  const dispatched = await nextJob(engine, runner)
  if (dispatched?.job.name !== name)
    throw new Error(`${dispatched?.job.name ?? 'nothing'} came instead of ${name}`)
  return dispatched
}

export async function succeed(engine: TestEngine, { job }: DispatchedJob): Promise<void> {
  await finishJob(engine.deps, job, { status: 'success' })
}

export async function fail(
  engine: TestEngine,
  { job }: DispatchedJob,
  { reason = 'script_failure', exitCode = 1 }: { reason?: FailureReason; exitCode?: number } = {},
): Promise<void> {
  await finishJob(engine.deps, job, { status: 'failed', reason, exitCode })
}

export function reread(engine: TestEngine, pipeline: PipelineRow): Promise<PipelineRow> {
  return findPipeline(engine.deps.database, pipeline.id)
}

/** Every attempt, in the order of the ids. */
export function jobsOf(engine: TestEngine, pipeline: PipelineRow): Promise<JobRow[]> {
  return engine.deps.database
    .selectFrom('job')
    .selectAll()
    .where('pipeline_id', '=', pipeline.id)
    .orderBy('id')
    .execute()
}

export async function jobNamed(engine: TestEngine, pipeline: PipelineRow, name: string): Promise<JobRow> {
  const latest = (await jobsOf(engine, pipeline)).find((job) => job.name === name && !job.retried)
  if (!latest) throw new Error(`There is no job ${name}`)
  return latest
}

/** Status of the pipeline and of the latest attempt of each job, by name. */
export async function statusesOf(
  engine: TestEngine,
  pipeline: PipelineRow,
): Promise<{ pipeline: JobStatus; jobs: Record<string, JobStatus> }> {
  const latest = (await jobsOf(engine, pipeline)).filter((job) => !job.retried)
  return {
    pipeline: (await reread(engine, pipeline)).status,
    jobs: Object.fromEntries(latest.map(({ name, status }) => [name, status])),
  }
}
