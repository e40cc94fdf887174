import { may } from '../../../src/coordinator/access/access.js'
import { ownedGroup } from '../../../src/coordinator/accounts/groups/groups.js'
import { groupOperations } from '../../../src/coordinator/accounts/groups/operations.js'
import { commitStatusOperations } from '../../../src/coordinator/ci/commit-statuses/operations.js'
import { describeDeployments } from '../../../src/coordinator/ci/deployments/describe-deployments.js'
import { deploymentOperations } from '../../../src/coordinator/ci/deployments/operations.js'
import { createPipeline } from '../../../src/coordinator/ci/engine/create/create-pipeline.js'
import type { PipelineRequest } from '../../../src/coordinator/ci/engine/create/pipeline-request.js'
import type { EngineDeps } from '../../../src/coordinator/ci/engine/engine-deps.js'
import { DEFAULT_PIPELINE_LIMITS } from '../../../src/coordinator/ci/engine/pipeline-limits.js'
import { environmentOperations } from '../../../src/coordinator/ci/environments/operations.js'
import { uploadOperations } from '../../../src/coordinator/ci/jobs/artifacts/upload-operations.js'
import { cacheOperations } from '../../../src/coordinator/ci/jobs/cache-operations.js'
import { jobRecords } from '../../../src/coordinator/ci/jobs/job-records.js'
import { jobOperations } from '../../../src/coordinator/ci/jobs/operations.js'
import { variablesAfterJob } from '../../../src/coordinator/ci/jobs/payload/variables-after-job.js'
import { jobRunnerOperations } from '../../../src/coordinator/ci/jobs/runner-operations.js'
import { ciLintOperations } from '../../../src/coordinator/ci/lint/operations.js'
import { pipelineOperations } from '../../../src/coordinator/ci/pipelines/operations.js'
import { protectedEnvironmentOperations } from '../../../src/coordinator/ci/protected-environments/operations.js'
import { JobQueue } from '../../../src/coordinator/ci/queue/job-queue.js'
import { resourceGroupOperations } from '../../../src/coordinator/ci/resource-groups/operations.js'
import { runnerJobsFor } from '../../../src/coordinator/ci/runners/access.js'
import { RunnerContacts } from '../../../src/coordinator/ci/runners/contacts.js'
import { runnerOperations } from '../../../src/coordinator/ci/runners/operations.js'
import { resetInstanceRegistrationToken } from '../../../src/coordinator/ci/runners/registration-tokens.js'
import { runnerSideOperations } from '../../../src/coordinator/ci/runners/runner-operations.js'
import { findRunnerByToken } from '../../../src/coordinator/ci/runners/store.js'
import { pipelineScheduleOperations } from '../../../src/coordinator/ci/schedules/operations.js'
import { secureFileOperations } from '../../../src/coordinator/ci/secure-files/operations.js'
import { JobWatches } from '../../../src/coordinator/ci/signals/job-watches.js'
import { TraceReaders } from '../../../src/coordinator/ci/signals/trace-readers.js'
import { Artifacts } from '../../../src/coordinator/ci/storage/artifacts/artifacts.js'
import { type CacheLimits, Caches } from '../../../src/coordinator/ci/storage/caches/caches.js'
import { FolderBlobStore } from '../../../src/coordinator/ci/storage/folder-blob-store.js'
import { PartialUploads } from '../../../src/coordinator/ci/storage/partial-uploads.js'
import { Traces } from '../../../src/coordinator/ci/storage/traces.js'
import { triggerOperations } from '../../../src/coordinator/ci/triggers/operations.js'
import { TokenSigner } from '../../../src/coordinator/crypto/token-signer.js'
import type { Database } from '../../../src/coordinator/database/connect.js'
import type {
  JobRow,
  PipelineRow,
  ProjectRow,
} from '../../../src/coordinator/database/tables/pipeline-rows.js'
import { Avatars } from '../../../src/coordinator/hosting/avatars/avatars.js'
import {
  createProjectAccessReader,
  createProjectFinder,
} from '../../../src/coordinator/hosting/projects/find-project.js'
import { accessIn, levelOf } from '../../../src/coordinator/http/handle-operation.js'
import { createLogger } from '../../../src/lib/logger.js'
import { newToken, tokenDigest } from '../../../src/lib/tokens.js'
import { type OpenDatabase, openSqlite, type TestDatabase } from '../../support/databases.js'
import { onFinished } from '../../support/lifetime.js'
import { tempDir } from '../../support/temp-dir.js'
import { FakeRepositories, NO_SHA, SHA } from '../ci/engine/support/fake-repositories.js'
import { NOTHING_OUTSIDE } from '../ci/engine/support/nothing-outside.js'
import { addPerson, EXTERNAL_URL, openApp, type Person, type TestApp, testSecrets } from './test-app.js'

export interface Limits {
  longPollSeconds?: number
  artifactsMaxBytes?: number
  traceMaxBytes?: number
  caches?: CacheLimits
}

/** The CI half of a coordinator: runners, jobs, pipelines and their files, listening on loopback. */
export interface CiCoordinator {
  /** With the prefix of the API. */
  url: string
  app: TestApp
  database: Database
  engine: EngineDeps
  repositories: FakeRepositories
  artifacts: Artifacts
  caches: Caches
  blobs: FolderBlobStore
  uploads: PartialUploads
  traces: Traces
  watches: JobWatches
  /** Due times that pipeline schedules have reported. */
  scheduled: number[]
  admin: Person
  project: ProjectRow
  /** Registers runners of the instance, and of the project. */
  registrationToken: string
  projectRegistrationToken: string
  /** Ends held requests, as stopping the coordinator does. */
  stop: AbortController
}

export async function startCiCoordinator(
  limits: Limits = {},
  open: OpenDatabase = openSqlite,
): Promise<CiCoordinator> {
  const store = await open()
  const { database } = store
  const root = await tempDir()
  const blobs = new FolderBlobStore(`${root}/blobs`)
  const artifactsMaxBytes = limits.artifactsMaxBytes ?? 10 * 1024 * 1024
  const artifacts = new Artifacts(database, blobs, artifactsMaxBytes)
  const traces = new Traces(`${root}/traces`, limits.traceMaxBytes ?? 1024 * 1024)
  const { engine, repositories, watches } = makeEngine(store, artifacts, traces)
  const uploads = new PartialUploads(`${root}/uploads`)
  const traceReaders = new TraceReaders()
  const caches = new Caches(database, blobs, limits.caches ?? { maxBytes: 1e7, projectMaxBytes: 1e8 })
  const contacts = new RunnerContacts(database)
  const stop = new AbortController()
  const projectAccessOf = createProjectAccessReader(database)
  const { secrets } = engine
  const scheduled: number[] = []
  const jobs = jobRecords({ database, repositories, artifacts, externalUrl: EXTERNAL_URL })
  const app = openApp(database, [
    ...runnerSideOperations({ database, secrets, contacts }),
    ...runnerOperations({
      database,
      secrets,
      externalUrl: EXTERNAL_URL,
      levelOf: (user, project) => levelOf({ projectAccessOf }, user, project),
      ownedGroup: (idOrPath, user) => ownedGroup(database, idOrPath, user),
    }),
    ...groupOperations({
      database,
      secrets,
      externalUrl: EXTERNAL_URL,
      logger: createLogger('test', 'silent'),
      projectsOf: async () => ({ projects: [], shared_projects: [] }),
      avatars: new Avatars(blobs),
      deleteProject: async () => undefined,
      deleteAvatars: async () => undefined,
    }),
    ...cacheOperations({ database, caches }),
    ...uploadOperations({ database, artifacts, uploads, expireSeconds: 3600 }),
    ...jobRunnerOperations({
      engine,
      artifacts,
      traces,
      traceReaders,
      watches,
      tokens: new TokenSigner({ database, secrets, externalUrl: EXTERNAL_URL }),
      server: { externalUrl: EXTERNAL_URL, version: '1.2.3', revision: 'abc', artifactsMaxBytes },
      runners: {
        findByToken: (token) => findRunnerByToken(database, token),
        recordContact: (contact) => contacts.record(contact),
        featuresOf: (runnerId, systemId) => contacts.featuresOf(runnerId, systemId),
      },
      longPollSeconds: limits.longPollSeconds ?? 0,
      stopping: stop.signal,
      artifactsExpireSeconds: 3600,
    }),
    ...jobOperations({
      engine,
      artifacts,
      traces,
      traceReaders,
      externalUrl: EXTERNAL_URL,
      runnerFor: (user, runnerId) => runnerJobsFor(database, user, runnerId),
      maySee: async (what, user, project) =>
        may(what, { project, ...(await accessIn({ projectAccessOf }, user, project)) }),
    }),
    ...pipelineOperations({
      engine,
      artifacts,
      traces,
      externalUrl: EXTERNAL_URL,
      findProject: createProjectFinder(database),
    }),
    ...triggerOperations({ database, secrets, externalUrl: EXTERNAL_URL }),
    ...pipelineScheduleOperations({
      engine,
      externalUrl: EXTERNAL_URL,
      onScheduled: (at) => scheduled.push(at),
    }),
    ...commitStatusOperations({ engine, externalUrl: EXTERNAL_URL }),
    ...ciLintOperations({ engine }),
    ...resourceGroupOperations({ engine, jobs }),
    ...environmentOperations({
      engine,
      describeDeployments: (rows) => describeDeployments({ database, jobs, externalUrl: EXTERNAL_URL }, rows),
    }),
    ...deploymentOperations({ engine, jobs, externalUrl: EXTERNAL_URL }),
    ...protectedEnvironmentOperations({ database }),
    ...secureFileOperations({ database, secrets, blobs }),
  ])
  const url = await app.app.listen({ host: '127.0.0.1', port: 0 })
  onFinished(() => stop.abort())
  const admin = await addPerson(database, 'root', { admin: true })
  const projectRegistrationToken = newToken('GR1348941')
  return {
    url: `${url}/api/v4`,
    app,
    database,
    engine,
    repositories,
    artifacts,
    caches,
    blobs,
    uploads,
    traces,
    watches,
    scheduled,
    admin,
    project: await insertProject(database, admin, projectRegistrationToken),
    registrationToken: await resetInstanceRegistrationToken(database, secrets),
    projectRegistrationToken,
    stop,
  }
}

function makeEngine(
  { database, dialect }: TestDatabase,
  artifacts: Artifacts,
  traces: Traces,
): {
  engine: EngineDeps
  repositories: FakeRepositories
  watches: JobWatches
} {
  const logger = createLogger('test', 'silent')
  const projectAccessOf = createProjectAccessReader(database)
  const queue = new JobQueue({ database, dialect, logger })
  onFinished(() => queue.stop())
  const watches = new JobWatches({
    onLost: (error) => {
      throw error
    },
  })
  const onRunnerConcerned = (jobId: number) => watches.notify(jobId)
  const repositories = new FakeRepositories()
  const lease = { firstContactSeconds: 60, seconds: 300 }
  const secrets = testSecrets()
  const tokens = new TokenSigner({ database, secrets, externalUrl: EXTERNAL_URL })
  const engine: EngineDeps = {
    database,
    dialect,
    queue,
    lease,
    secrets,
    repositories,
    logger,
    // Tests create pipelines faster than a project may.
    limits: { ...DEFAULT_PIPELINE_LIMITS, pipelinesPerMinute: 0 },
    server: { externalUrl: EXTERNAL_URL, version: '1.2.3', revision: 'abc' },
    outside: {
      ...NOTHING_OUTSIDE,
      findProject: createProjectFinder(database),
      levelOf: (user, project, within) =>
        levelOf(
          { projectAccessOf: within ? createProjectAccessReader(within) : projectAccessOf },
          user,
          project,
        ),
    },
    artifacts,
    traces,
    jobVariables: (job) => variablesAfterJob({ ...engine, repositories, artifacts, tokens }, job),
    onRunnerConcerned,
  }
  return { engine, repositories, watches }
}

/** `group/app` with the name `App`; only administrators are members. */
async function insertProject(database: Database, creator: Person, runnersToken: string): Promise<ProjectRow> {
  const now = Date.now()
  const namespace = await database
    .insertInto('namespace')
    .values({
      kind: 'group',
      name: 'group',
      path: 'group',
      full_path: 'group',
      visibility: 'private',
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const inTree = { group_id: namespace.id, ancestor_id: namespace.id }
  await database.insertInto('group_tree').values(inTree).execute()
  return database
    .insertInto('project')
    .values({
      namespace_id: namespace.id,
      creator_id: creator.id,
      name: 'App',
      path: 'app',
      full_path: 'group/app',
      visibility: 'private',
      default_branch: 'main',
      runners_token_digest: tokenDigest(runnersToken),
      runners_token_encrypted: '',
      created_at: now,
      updated_at: now,
      last_activity_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Creates a pipeline on `main` from a valid CI file. */
export async function pushPipeline(
  { engine, repositories, project, admin }: CiCoordinator,
  ciFile: string,
  changes: Partial<PipelineRequest> = {},
): Promise<PipelineRow> {
  repositories.ciFile = ciFile
  const creation = await createPipeline(engine, {
    project,
    user: admin,
    ref: 'main',
    refType: 'branch',
    sha: SHA,
    beforeSha: NO_SHA,
    source: 'push',
    ...changes,
  })
  if (creation.kind === 'refused') throw new Error(creation.message)
  return creation.pipeline
}

export async function jobNamed({ database }: CiCoordinator, name: string): Promise<JobRow> {
  return database
    .selectFrom('job')
    .selectAll()
    .where('name', '=', name)
    .where('retried', '=', false)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
}
