import type { Project, User } from '../../../../src/coordinator/access/caller.js'
import { createUser } from '../../../../src/coordinator/accounts/users/account/create-user.js'
import { createToken } from '../../../../src/coordinator/accounts/users/tokens/tokens.js'
import { inTransaction, type Transaction } from '../../../../src/coordinator/database/transaction.js'
import { createProject } from '../../../../src/coordinator/hosting/projects/create/create-project.js'
import type {
  BulkMove,
  DeletedBranch,
  MovedRef,
  PushDeps,
  PushedRef,
} from '../../../../src/coordinator/hosting/repositories/push/handle-push.js'
import type { BodyRate } from '../../../../src/coordinator/http/body-limits/body-rate.js'
import type { Services } from '../../../../src/coordinator/start/services/services.js'
import { type OpenDatabase, openSqlite } from '../../../support/databases.js'
import { sceneForFile } from '../../../support/scene-for-file.js'
import { NO_IMPORTS } from '../../support/no-imports.js'
import { insertRunningJob } from '../../support/running-job.js'
import { openTestApp, openTestServices } from '../../support/test-coordinator.js'

export interface GitServer extends PushDeps {
  /** `http://127.0.0.1:<port>` */
  url: string
  services: Services
  owner: User
  project: Project
  /** The result for each moved ref. */
  pushed: PushedRef[]
  deleted: DeletedBranch[]
  /** Events for hooks. */
  moved: MovedRef[]
  /** Refs with an activity of their own, and activities of many refs. */
  recorded: string[]
  bulk: BulkMove[]
  /** Replaces what happens with a moved ref, for instance by an error. */
  onPipeline: { create: (pushed: PushedRef) => Promise<void> }
  /** Address of the project's repository with these credentials. */
  remote(token?: string, name?: string): string
  ownerToken: string
}

/**
 * A coordinator that serves only git, on a loopback port, with one private project `ada/app`. It records moved refs in
 * place of creating pipelines and events. With a `port`, its external URL is the one at which it listens.
 */
export async function startGitServer(
  open: OpenDatabase = openSqlite,
  bodyRate?: BodyRate,
  port = 0,
): Promise<GitServer> {
  return withProject(await listen(open, bodyRate, port))
}

/** Starts it once for all tests of a file. Each gets an empty store, and a project that no other test has had. */
export function gitServerForFile(): (open?: OpenDatabase) => Promise<GitServer> {
  const listening = sceneForFile((open) => listen(open))
  return async (open) => {
    const server = await listening(open)
    const { pushed, deleted, moved, recorded, bulk, onPipeline } = server.pushes
    for (const list of [pushed, deleted, moved, recorded, bulk]) list.length = 0
    await server.services.instanceSettings.load()
    onPipeline.create = recordPushes(server.services).onPipeline.create
    return withProject(server)
  }
}

async function listen(open: OpenDatabase, bodyRate?: BodyRate, port = 0) {
  const services = await openTestServices({
    open,
    ...(port !== 0 && { externalUrl: `http://127.0.0.1:${port}` }),
  })
  const pushes = recordPushes(services)
  const { app } = openTestApp(services, { pushes, operations: () => [], ...(bodyRate && { bodyRate }) })
  const url = await app.listen({ host: '127.0.0.1', port })
  return { services, pushes, url }
}

async function withProject({
  services,
  pushes,
  url,
}: Awaited<ReturnType<typeof listen>>): Promise<GitServer> {
  const { database } = services
  const owner = await createUser(database, { username: 'ada', name: 'Ada', email: 'ada@example.com' })
  const project = await createProject({ ...services, imports: NO_IMPORTS }, { name: 'app' }, owner)
  const ownerToken = await tokenOf(pushes, owner, ['write_repository'])
  const remote = (token = ownerToken, name = 'any'): string =>
    `${url.replace('//', `//${name}:${token}@`)}/ada/app.git`
  return { ...pushes, services, url, owner, ownerToken, project, remote }
}

function recordPushes({ database, repositories, logger }: Services) {
  const pushed: PushedRef[] = []
  const deleted: DeletedBranch[] = []
  const moved: MovedRef[] = []
  const recorded: string[] = []
  const bulk: BulkMove[] = []
  const onPipeline = {
    create: (ref: PushedRef): Promise<void> => inTransaction(database, (tx) => ref.within(tx)),
  }
  return {
    database,
    repositories,
    logger,
    pushed,
    deleted,
    moved,
    recorded,
    bulk,
    onPipeline,
    createPipeline: async (ref: PushedRef): Promise<void> => {
      await onPipeline.create(ref)
      pushed.push(ref)
    },
    onBranchDeleted: async (branch: DeletedBranch): Promise<void> => {
      deleted.push(branch)
    },
    recordMove: async (_tx: Transaction, _projectId: number, { ref }: MovedRef) => {
      recorded.push(ref)
    },
    recordBulkMove: async (_tx: Transaction, _projectId: number, move: BulkMove) => {
      bulk.push(move)
    },
    onRefMoved: async (_tx: Transaction, _projectId: number, ref: MovedRef) => {
      moved.push(ref)
    },
  }
}

export async function tokenOf(deps: PushDeps, user: User, scopes: string[]): Promise<string> {
  const values = { user_id: user.id, name: 'test', scopes, expires_at: null }
  return (await createToken(deps.database, values)).token
}

/** Another user who is a member of the project, and their token for pushing. */
export async function addMember(server: GitServer, username: string, level: number): Promise<string> {
  const user = await createUser(server.database, {
    username,
    name: username,
    email: `${username}@example.com`,
  })
  if (level > 0) {
    await server.database
      .insertInto('member')
      .values({ project_id: server.project.id, user_id: user.id, access_level: level, created_at: 0 })
      .execute()
  }
  return tokenOf(server, user, ['write_repository'])
}

/** A running job of the project, by its token. */
export function addRunningJob({ database, owner }: GitServer, project: Project): Promise<string> {
  return insertRunningJob(database, { projectId: project.id, userId: owner.id })
}
