import { groupOperations } from '../../../src/coordinator/accounts/groups/operations.js'
import { createPipeline } from '../../../src/coordinator/ci/engine/create/create-pipeline.js'
import type { PipelineRequest } from '../../../src/coordinator/ci/engine/create/pipeline-request.js'
import { DEFAULT_PIPELINE_LIMITS } from '../../../src/coordinator/ci/engine/pipeline-limits.js'
import { resetInstanceRegistrationToken } from '../../../src/coordinator/ci/runners/registration-tokens.js'
import { connectDatabase } from '../../../src/coordinator/database/connect.js'
import type {
  JobRow,
  PipelineRow,
  ProjectRow,
} from '../../../src/coordinator/database/tables/pipeline-rows.js'
import type { Operation } from '../../../src/coordinator/http/operation.js'
import { mcpOperations } from '../../../src/coordinator/mcp/operations.js'
import { chatCommandOperations } from '../../../src/coordinator/planning/chat-commands/operations.js'
import { mergeRequestPipelineOperations } from '../../../src/coordinator/planning/merge-requests/pipelines/operations.js'
import type { CoordinatorSettings } from '../../../src/coordinator/start/config/settings.js'
import type { OperationListDeps } from '../../../src/coordinator/start/operation-list-deps.js'
import { listCiOperations } from '../../../src/coordinator/start/operations/ci.js'
import { listLiveOperations } from '../../../src/coordinator/start/operations/live.js'
import { groupDeps } from '../../../src/coordinator/start/project-deps.js'
import type { Services } from '../../../src/coordinator/start/services/services.js'
import { newToken, tokenDigest } from '../../../src/lib/tokens.js'
import { type OpenDatabase, openSqlite } from '../../support/databases.js'
import { sceneForFile } from '../../support/scene-for-file.js'
import { FakeRepositories, NO_SHA, SHA } from '../ci/engine/support/fake-repositories.js'
import { addPerson, type Person, type TestApp } from './test-app.js'
import { openTestApp, openTestServices, type TestServicesOptions } from './test-coordinator.js'

export type Limits = Partial<
  Pick<
    CoordinatorSettings,
    | 'longPollSeconds'
    | 'artifactsMaxBytes'
    | 'artifactsUrl'
    | 'pagesDomain'
    | 'traceMaxBytes'
    | 'caches'
    | 'traceExport'
    | 'storage'
  >
>

/** The CI half of a coordinator: runners, jobs, pipelines and their files, listening on loopback. */
export interface CiCoordinator extends Services {
  /** With the prefix of the API. */
  url: string
  app: TestApp
  repositories: FakeRepositories
  admin: Person
  project: ProjectRow
  /** Registers runners of the instance, and of the project. */
  registrationToken: string
  projectRegistrationToken: string
  /** Ends held requests, as stopping the coordinator does. */
  stop: AbortController
}

const LIMITS = {
  artifactsMaxBytes: 10 * 1024 * 1024,
  artifactsExpireSeconds: 3600,
  traceMaxBytes: 1024 * 1024,
  caches: { maxBytes: 1e7, projectMaxBytes: 1e8, unusedSeconds: 3600 },
  // Tests create pipelines faster than a project may.
  pipelines: { ...DEFAULT_PIPELINE_LIMITS, pipelinesPerMinute: 0 },
}

export async function startCiCoordinator(
  limits: Limits = {},
  open: OpenDatabase = openSqlite,
  overrides: TestServicesOptions['overrides'] = {},
): Promise<CiCoordinator> {
  const repositories = new FakeRepositories()
  const services = await openTestServices({
    open,
    settings: { ...LIMITS, ...limits },
    overrides: { repositories, liveTimes: {}, ...overrides },
  })
  const { database, secrets } = services
  const stop = new AbortController()
  const app = openTestApp(services, { operations: listOperations, stopping: stop })
  const url = await app.app.listen({ host: '127.0.0.1', port: 0 })
  const admin = await addPerson(database, 'root', { admin: true })
  const projectRegistrationToken = newToken('GR1348941')
  return {
    ...services,
    url: `${url}/api/v4`,
    app,
    repositories,
    admin,
    project: await insertProject(services, admin, projectRegistrationToken),
    registrationToken: await resetInstanceRegistrationToken(database, secrets),
    projectRegistrationToken,
    stop,
  }
}

/**
 * Starts it once for all tests of a file: each gets the rows of its start, and repositories without anything. A test that
 * stops it, or looks at what it keeps in memory, starts one of its own.
 */
export function ciCoordinatorForFile(limits: Limits = {}): (open?: OpenDatabase) => Promise<CiCoordinator> {
  const start = sceneForFile((open) => startCiCoordinator(limits, open))
  return async (open) => {
    const coordinator = await start(open)
    coordinator.repositories.reset()
    return coordinator
  }
}

/** Another coordinator on the store and the data folder of one that runs. Both notify each other. */
export async function joinCoordinator(
  first: CiCoordinator,
  overrides: TestServicesOptions['overrides'] = {},
): Promise<Services & { url: string }> {
  const { database: store, dataDir } = first.settings
  const services = await openTestServices({
    open: async () => ({ database: connectDatabase(store), dialect: store.dialect, settings: store }),
    settings: LIMITS,
    overrides: { repositories: first.repositories, liveTimes: {}, ...overrides },
    dataDir,
  })
  const app = openTestApp(services, { operations: listOperations })
  const url = await app.app.listen({ host: '127.0.0.1', port: 0 })
  first.channel?.start()
  services.channel?.start()
  return { ...services, url: `${url}/api/v4` }
}

function listOperations(services: Services, deps: OperationListDeps): Operation[] {
  return [
    ...listCiOperations(services, deps),
    ...listLiveOperations(services, deps),
    ...groupOperations(groupDeps(services, deps)),
    ...mergeRequestPipelineOperations({ ...services, ...deps }),
    ...chatCommandOperations({ ...services, ...deps }),
    ...mcpOperations(deps),
  ]
}

/** `group/app` with the name `App`; only administrators are members. */
async function insertProject(
  { database, secrets }: Services,
  creator: Person,
  runnersToken: string,
): Promise<ProjectRow> {
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
      pages_access_level: 'enabled',
      default_branch: 'main',
      runners_token_digest: tokenDigest(runnersToken),
      runners_token_encrypted: secrets.encrypt(runnersToken),
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
