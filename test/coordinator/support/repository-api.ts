import { join } from 'node:path'

import type { LightMyRequestResponse } from 'fastify'

import type { Project } from '../../../src/coordinator/access/caller.js'
import type { BlobStore } from '../../../src/coordinator/ci/storage/blob-store.js'
import type { Database } from '../../../src/coordinator/database/connect.js'
import { inTransaction } from '../../../src/coordinator/database/transaction.js'
import { createProject } from '../../../src/coordinator/hosting/projects/create/create-project.js'
import { GitSemaphore } from '../../../src/coordinator/hosting/repositories/git-semaphore.js'
import type { PushDeps, PushedRef } from '../../../src/coordinator/hosting/repositories/push/handle-push.js'
import { Repositories } from '../../../src/coordinator/hosting/repositories/repositories.js'
import type { Operation } from '../../../src/coordinator/http/operation.js'
import { DEFAULT_RATE_LIMITS } from '../../../src/coordinator/http/rate-limits/rate-limits.js'
import {
  recordBulkPush,
  recordPush,
} from '../../../src/coordinator/integrations/activity-events/record-activity.js'
import { emitPushEvents } from '../../../src/coordinator/integrations/webhooks/outbox/emit-push-events.js'
import type { CoordinatorSettings } from '../../../src/coordinator/start/config/settings.js'
import type { OperationListDeps } from '../../../src/coordinator/start/operation-list-deps.js'
import { listRepositoryOperations } from '../../../src/coordinator/start/operations/hosting.js'
import { listIntegrationsOperations } from '../../../src/coordinator/start/operations/integrations.js'
import type { Services } from '../../../src/coordinator/start/services/services.js'
import { runGit } from '../../../src/git/run-git.js'
import { type OpenDatabase, openSqlite } from '../../support/databases.js'
import { gitOk } from '../../support/git-client.js'
import { sceneForFile } from '../../support/scene-for-file.js'
import { tempDir } from '../../support/temp-dir.js'
import { NO_IMPORTS } from './no-imports.js'
import { addPerson, type Person, type TestApp } from './test-app.js'
import { openTestApp, openTestServices } from './test-coordinator.js'

export interface RepositoryApi extends PushDeps {
  app: TestApp
  blobs: BlobStore
  services: Services
  owner: Person
  project: Project
  /** The result for each moved ref. */
  pushed: PushedRef[]
  /** Calls `<method> <path below /projects/:id>` as the owner, or as another user. */
  call(route: string, body?: object, as?: Person | null): Promise<LightMyRequestResponse>
  /** The output of git in the repository of the project. */
  git(...args: string[]): Promise<string>
}

/**
 * The repository operations of the API with a store and git, for the private project `ada/app`. Moved refs are recorded
 * and create no pipelines.
 */
export async function openRepositoryApi(
  open: OpenDatabase = openSqlite,
  semaphore = new GitSemaphore(),
  settings: Partial<Pick<CoordinatorSettings, 'templatesDir'>> = {},
): Promise<RepositoryApi> {
  return withProject(await openServer(open, semaphore, settings))
}

/** Opens it once for all tests of a file. Each gets an empty store, and a project that no other test has had. */
export function repositoryApiForFile(): (open?: OpenDatabase) => Promise<RepositoryApi> {
  const server = sceneForFile((open) => openServer(open))
  return async (open) => {
    const opened = await server(open)
    opened.pushes.pushed.length = 0
    return withProject(opened)
  }
}

async function openServer(
  open: OpenDatabase,
  semaphore = new GitSemaphore(),
  settings: Partial<Pick<CoordinatorSettings, 'templatesDir'>> = {},
) {
  const services = await openTestServices({
    open,
    settings: {
      commitsMaxBytes: 8 * 1024 * 1024,
      rateLimits: { ...DEFAULT_RATE_LIMITS, archives: 20 },
      ...settings,
    },
    overrides: { repositories: new Repositories(join(await tempDir(), 'repositories'), semaphore) },
  })
  const pushes = recordPushes(services)
  return { services, pushes, app: openTestApp(services, { pushes, operations: listOperations }) }
}

async function withProject({
  services,
  pushes,
  app,
}: Awaited<ReturnType<typeof openServer>>): Promise<RepositoryApi> {
  const { repositories, database } = services
  const owner = await addPerson(database, 'ada')
  const project = await createProject({ ...services, imports: NO_IMPORTS }, { name: 'app' }, owner)
  return {
    ...pushes,
    app,
    services,
    blobs: services.blobs,
    owner,
    project,
    call: (route, body, as = owner) =>
      app.call(as ?? undefined, route.replace(' ', ` /projects/${project.id}`), body),
    git: (...args) => gitOk(repositories.path(project.id), ...args),
  }
}

function recordPushes({ database, repositories, logger }: Services) {
  const pushed: PushedRef[] = []
  return {
    database,
    repositories,
    logger,
    pushed,
    createPipeline: async (ref: PushedRef): Promise<void> => {
      await inTransaction(database, (tx) => ref.within(tx))
      pushed.push(ref)
    },
    onBranchDeleted: () => Promise.resolve(),
    recordMove: recordPush,
    recordBulkMove: recordBulkPush,
    onRefMoved: emitPushEvents,
  }
}

function listOperations(services: Services, deps: OperationListDeps): Operation[] {
  return [...listRepositoryOperations(services, deps), ...listIntegrationsOperations(services, deps)]
}

/** A member of the project with this level. */
export async function addRepositoryMember(
  api: { database: Database; project: Project },
  username: string,
  level: number,
  scopes?: string[],
): Promise<Person> {
  const person = await addPerson(api.database, username, scopes ? { scopes } : {})
  await api.database
    .insertInto('member')
    .values({ project_id: api.project.id, user_id: person.id, access_level: level, created_at: 0 })
    .execute()
  return person
}

/**
 * Commits files directly into the repository, like an earlier push. Returns the ID. A path whose content is
 * `null` goes away.
 */
export async function seedCommit(
  { repositories, project }: Pick<RepositoryApi, 'repositories' | 'project'>,
  files: Record<string, string | null>,
  { branch = 'main', message = 'Seed', date = '2024-05-01T10:00:00+02:00' } = {},
): Promise<string> {
  const repository = repositories.path(project.id)
  const ref = `refs/heads/${branch}`
  const parent = await gitOk(repository, 'for-each-ref', '--format=%(objectname)', ref)
  const changes = Object.entries(files).map(([path, content]) =>
    content === null ? `D ${path}\n` : `M 100644 inline ${path}\n${data(content)}`,
  )
  const person = (when: string): string => `Ada <ada@example.com> ${when}`
  const now = `${Math.floor(Date.now() / 1000)} +0000`
  const people = `author ${person(fastImportDate(date))}\ncommitter ${person(now)}\n`
  const head = `commit ${ref}\nmark :1\n${people}${data(`${message}\n`)}`
  const from = parent && `from ${parent}\n`
  const input = `${head}${from}${changes.join('')}\nget-mark :1\ndone\n`
  const sha = await runGit(['fast-import', '--quiet', '--done'], { cwd: repository, input })
  return sha.trim()
}

/** Bytes in the language of `git fast-import`. */
function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`
}

/** An ISO date with its offset, as `git fast-import` reads it: seconds, offset. */
function fastImportDate(iso: string): string {
  const [, sign = '+', hours = '00', minutes = '00'] = /([+-])(\d\d):(\d\d)$/.exec(iso) ?? []
  return `${Date.parse(iso) / 1000} ${sign}${hours}${minutes}`
}

/** Sets the default branch of the project, like its first push, with one commit. */
export async function seedDefaultBranch(
  api: Pick<RepositoryApi, 'repositories' | 'project' | 'database'>,
  files: Record<string, string> = { 'README.md': '# App\n' },
): Promise<string> {
  const sha = await seedCommit(api, files)
  await api.database
    .updateTable('project')
    .set({ default_branch: 'main' })
    .where('id', '=', api.project.id)
    .execute()
  return sha
}

/** A private fork `ada/fork` of the project, with an empty repository. */
export async function addEmptyFork(api: RepositoryApi): Promise<Project> {
  const fork = await api.database
    .insertInto('project')
    .values({
      namespace_id: api.project.namespace_id,
      creator_id: api.owner.id,
      name: 'fork',
      path: 'fork',
      full_path: 'ada/fork',
      visibility: 'private',
      forked_from_id: api.project.id,
      default_branch: 'main',
      runners_token_digest: 'x',
      runners_token_encrypted: '',
      created_at: 0,
      updated_at: 0,
      last_activity_at: 0,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await api.repositories.create(fork.id)
  return fork
}
