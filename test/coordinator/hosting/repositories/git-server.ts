import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'

import { execa } from 'execa'
import Fastify from 'fastify'

import type { Project, User } from '../../../../src/coordinator/access/caller.js'
import { allowsJobTokensOf } from '../../../../src/coordinator/access/job-token-allowlist.js'
import { createUser } from '../../../../src/coordinator/accounts/users/account/create-user.js'
import { createToken } from '../../../../src/coordinator/accounts/users/tokens/tokens.js'
import { SecretBox } from '../../../../src/coordinator/crypto/secret-box.js'
import { inTransaction } from '../../../../src/coordinator/database/transaction.js'
import { createRedirectFinder } from '../../../../src/coordinator/hosting/paths/redirects.js'
import { createProject } from '../../../../src/coordinator/hosting/projects/create/create-project.js'
import {
  createProjectAccessReader,
  createProjectFinder,
} from '../../../../src/coordinator/hosting/projects/find-project.js'
import { PushedProjects } from '../../../../src/coordinator/hosting/projects/pushed-projects.js'
import { gitRoutes } from '../../../../src/coordinator/hosting/repositories/http/smart-http.js'
import type {
  DeletedBranch,
  MovedRef,
  PushDeps,
  PushedRef,
} from '../../../../src/coordinator/hosting/repositories/push/handle-push.js'
import { Repositories } from '../../../../src/coordinator/hosting/repositories/repositories.js'
import { Authenticator } from '../../../../src/coordinator/http/authentication/authenticator.js'
import { findDeployTokenCaller } from '../../../../src/coordinator/http/authentication/deploy-token.js'
import { authenticateGit } from '../../../../src/coordinator/http/authentication/git-credentials.js'
import type { BodyRate } from '../../../../src/coordinator/http/body-limits/body-rate.js'
import { codeLevelOf } from '../../../../src/coordinator/http/handle-operation.js'
import { createLogger } from '../../../../src/lib/logger.js'
import { openSqlite, type TestDatabase } from '../../../support/databases.js'
import { onFinished } from '../../../support/lifetime.js'
import { tempDir } from '../../../support/temp-dir.js'
import { NO_IMPORTS } from '../../support/no-imports.js'
import { insertRunningJob } from '../../support/running-job.js'

export interface GitServer extends PushDeps {
  /** `http://127.0.0.1:<port>` */
  url: string
  owner: User
  project: Project
  /** The result for each moved ref. */
  pushed: PushedRef[]
  deleted: DeletedBranch[]
  /** Events for hooks. */
  moved: MovedRef[]
  /** Replaces what happens with a moved ref, for instance by an error. */
  onPipeline: { create: (pushed: PushedRef) => Promise<void> }
  /** Address of the project's repository with these credentials. */
  remote(token?: string, name?: string): string
  ownerToken: string
}

/** A coordinator reduced to its git side, on a loopback port, with one private project `ada/app`. */
export async function startGitServer(
  open: () => Promise<TestDatabase> = openSqlite,
  onFetched: (projectId: number) => void = () => undefined,
  bodyRate?: BodyRate,
): Promise<GitServer> {
  const deps = await newDeps(open)
  const { database } = deps
  const owner = await createUser(database, { username: 'ada', name: 'Ada', email: 'ada@example.com' })
  const secrets = new SecretBox(randomBytes(32))
  const project = await createProject({ ...deps, secrets, imports: NO_IMPORTS }, { name: 'app' }, owner)
  const ownerToken = await tokenOf(deps, owner, ['write_repository'])
  const made = new PushedProjects({ ...deps, secrets, imports: NO_IMPORTS })
  const url = await listen({ ...deps, ...(bodyRate && { bodyRate }) }, onFetched, made)
  const remote = (token = ownerToken, name = 'any'): string =>
    `${url.replace('//', `//${name}:${token}@`)}/ada/app.git`
  return { ...deps, url, owner, ownerToken, project, remote }
}

async function newDeps(open: () => Promise<TestDatabase>) {
  const { database } = await open()
  const pushed: PushedRef[] = []
  const onPipeline = {
    create: (ref: PushedRef): Promise<void> => inTransaction(database, (tx) => ref.within(tx)),
  }
  const repositories = new Repositories(join(await tempDir(), 'repositories'))
  onFinished(() => repositories.close())
  const createPipeline = async (ref: PushedRef): Promise<void> => {
    await onPipeline.create(ref)
    pushed.push(ref)
  }
  const logger = createLogger('test', 'silent')
  const deleted: DeletedBranch[] = []
  const onBranchDeleted = async (branch: DeletedBranch): Promise<void> => {
    deleted.push(branch)
  }
  const moved: MovedRef[] = []
  const onRefMoved: PushDeps['onRefMoved'] = async (_tx, _projectId, ref) => {
    moved.push(ref)
  }
  return {
    database,
    repositories,
    createPipeline,
    onBranchDeleted,
    onRefMoved,
    logger,
    pushed,
    deleted,
    moved,
    onPipeline,
  }
}

async function listen(
  deps: PushDeps & { bodyRate?: BodyRate },
  onFetched: (projectId: number) => void,
  made: PushedProjects,
): Promise<string> {
  const authenticator = new Authenticator(deps.database)
  const projectAccessOf = createProjectAccessReader(deps.database)
  const routes = gitRoutes({
    ...deps,
    onFetched,
    greet: (projectId) => made.greeting(projectId),
    access: {
      createProject: (user, fullPath) => made.create(user, fullPath),
      authenticate: ({ authorization }) =>
        authenticateGit(authenticator, authorization, (token) => findDeployTokenCaller(deps.database, token)),
      findProject: createProjectFinder(deps.database),
      findRedirect: (fullPath) => createRedirectFinder(deps.database).project(fullPath),
      allowsJobTokensOf: (project, jobProjectId) => allowsJobTokensOf(deps.database, project, jobProjectId),
      accessLevel: (caller, project) =>
        codeLevelOf({ projectAccessOf }, caller.kind === 'anonymous' ? undefined : caller.user, project),
    },
  })
  const app = Fastify()
  app.register(async (scope) => {
    routes(scope)
  })
  onFinished(() => app.close())
  await app.listen({ host: '127.0.0.1', port: 0 })
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
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

const CLIENT_ENVIRONMENT = {
  PATH: process.env['PATH'] ?? '',
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
}

export interface ClientResult {
  exitCode: number | undefined
  /** Both streams. */
  output: string
}

/** The real git client in `cwd`; never throws for its exit code. */
export async function git(cwd: string, ...args: string[]): Promise<ClientResult> {
  const result = await execa('git', args, {
    cwd,
    env: CLIENT_ENVIRONMENT,
    extendEnv: false,
    reject: false,
    all: true,
    stdin: 'ignore',
  })
  return { exitCode: result.exitCode, output: result.all }
}

/** As `git`, for what must work; answers the output. */
export async function gitOk(cwd: string, ...args: string[]): Promise<string> {
  const { exitCode, output } = await git(cwd, ...args)
  if (exitCode !== 0) throw new Error(`git ${args.join(' ')}: ${output}`)
  return output.trim()
}

/** A new work tree with one commit on `main`. */
export async function workTree(files: Record<string, string | Buffer> = { a: 'a' }): Promise<string> {
  const path = await tempDir()
  await gitOk(path, 'init', '--quiet', '--initial-branch=main')
  await commit(path, files)
  return path
}

/** Adds files and commits; answers the id. */
export async function commit(path: string, files: Record<string, string | Buffer>): Promise<string> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true })
    await writeFile(join(path, name), content)
  }
  await gitOk(path, 'add', '--all')
  await gitOk(path, 'commit', '--quiet', '--allow-empty', '-m', Object.keys(files).join(' ') || 'empty')
  return headOf(path)
}

/** The id of the commit that the branch of a work tree has just got: without a process, because hundreds of tests commit. */
async function headOf(path: string): Promise<string> {
  const head = await readFile(join(path, '.git/HEAD'), 'utf8')
  const ref = /^ref: (.+)/.exec(head)?.[1]
  return (ref ? await readFile(join(path, '.git', ref), 'utf8') : head).trim()
}
