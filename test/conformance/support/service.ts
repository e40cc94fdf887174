import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'

import { Gitlab } from '@gitbeaker/rest'

import { startCoordinator } from '../../../src/coordinator/coordinator.js'
import {
  connectDatabase,
  type Database,
  type DatabaseSettings,
} from '../../../src/coordinator/database/connect.js'
import { Repositories } from '../../../src/coordinator/hosting/repositories/repositories.js'
import { openSession } from '../../../src/coordinator/sessions/open-session.js'
import {
  type CoordinatorSettings,
  readCoordinatorSettings,
} from '../../../src/coordinator/start/config/settings.js'
import { createLogger } from '../../../src/lib/logger.js'
import { RunnerClient } from '../../coordinator/support/runner-client.js'
import { copyMigratedStore } from '../../support/databases.js'
import { commit, gitOk, workTree } from '../../support/git-client.js'
import { onFinished } from '../../support/lifetime.js'
import { tempDir } from '../../support/temp-dir.js'

export type Gitbeaker = InstanceType<typeof Gitlab>

/** A user and their clients. */
export interface Person {
  id: number
  username: string
  /** A personal access token with all rights of the user. */
  token: string
  gitbeaker: Gitbeaker
}

export interface ServedProject {
  id: number
  path: string
  /** The user who created it. */
  owner: Person
  /** A folder with a clone. */
  workTree: string
}

/**
 * A whole coordinator on loopback with its administrator, driven by the clients that people have. It stops when the
 * test is over.
 */
export class Service {
  private constructor(
    /** `http://127.0.0.1:<port>`, as given to clients. */
    readonly url: string,
    /** The administrator. */
    readonly root: Person,
    /** Registers runners of the instance. */
    readonly registrationToken: string,
    private readonly settings: CoordinatorSettings,
  ) {}

  /** `environment`: settings as a coordinator reads them, `SWITCHYARD_…`. */
  static async start(environment: Record<string, string> = {}): Promise<Service> {
    const dataDir = await tempDir()
    const token = `glpat-${randomBytes(15).toString('base64url')}`
    const settings = readCoordinatorSettings(
      // No load balancer sends requests while it stops: a drain would take 7 s of each stop.
      { listen: '127.0.0.1:0', drain_seconds: '0', data_dir: dataDir },
      environment,
    )
    await copyMigratedStore(dataDir)
    const logger = createLogger('test', 'silent')
    const coordinator = await startCoordinator(settings, logger, { adminToken: token })
    onFinished(() => coordinator.stop())
    const registration = await readFile(coordinator.registrationTokenFile, 'utf8')
    const root = { id: 1, username: 'root', token, gitbeaker: clientOf(coordinator.url, token) }
    return new Service(coordinator.url, root, registration.trim(), settings)
  }

  /** Starts one more coordinator on the same store and data folder. Returns its address. */
  async startAnother(): Promise<string> {
    const coordinator = await startCoordinator(this.settings, createLogger('test', 'silent'), {})
    onFinished(() => coordinator.stop())
    return coordinator.url
  }

  /** A new user with a token. */
  async addPerson(username: string, scopes: string[] = ['api']): Promise<Person> {
    const user = await this.json<{ id: number }>('POST', '/users', {
      username,
      name: username,
      email: `${username}@example.com`,
      force_random_password: true,
      skip_confirmation: true,
    })
    const path = `/users/${user.id}/personal_access_tokens`
    const { token } = await this.json<{ token: string }>('POST', path, { name: 'test', scopes })
    return { id: user.id, username, token, gitbeaker: clientOf(this.url, token) }
  }

  /** A private project with these files on `main`, pushed by its owner; the push starts a pipeline if it has a CI file. */
  async addProject(
    files: Record<string, string> = { 'README.md': 'Hello\n' },
    owner: Person = this.root,
    more: Record<string, unknown> = {},
  ): Promise<ServedProject> {
    const record = await this.json<{ id: number; path_with_namespace: string }>(
      'POST',
      '/projects',
      { name: `project-${randomBytes(4).toString('hex')}`, ...more },
      owner,
    )
    const tree = await workTree(files)
    const project = { id: record.id, path: record.path_with_namespace, owner, workTree: tree }
    await this.pushHead(project, 'main')
    return project
  }

  /** Pushes a commit with these changed files. Returns its ID. */
  async push(project: ServedProject, files: Record<string, string>, branch = 'main'): Promise<string> {
    const sha = await commit(project.workTree, files)
    await this.pushHead(project, branch)
    return sha
  }

  private async pushHead(project: ServedProject, branch: string): Promise<void> {
    const { username, token } = project.owner
    const remote = `${this.url.replace('//', `//${username}:${token}@`)}/${project.path}.git`
    await gitOk(project.workTree, 'push', '--quiet', remote, `HEAD:refs/heads/${branch}`)
  }

  /** A new instance runner that requests jobs only when a test asks for it. */
  async addRunner(parameters: Record<string, unknown> = {}): Promise<RunnerClient> {
    const body = { token: this.registrationToken, ...parameters }
    const response = await this.fetch('POST', '/runners', { body })
    if (response.status !== 201) throw new Error(await response.text())
    const { token } = (await response.json()) as { token: string }
    return new RunnerClient(`${this.url}/api/v4`, token)
  }

  /** The value of the cookie of a new session of a user. */
  openSession(person: Pick<Person, 'id'>): Promise<string> {
    return openSessionOf(this.settings.database, person)
  }

  /** Writes to the store what takes weeks to come about, such as a runner that is stale. */
  async writeStore(write: (database: Database) => Promise<unknown>): Promise<void> {
    const database = connectDatabase(this.settings.database)
    try {
      await write(database)
    } finally {
      await database.destroy()
    }
  }

  /** The folder of a project's repository. */
  repositoryOf({ id }: Pick<ServedProject, 'id'>): string {
    return new Repositories(join(this.settings.dataDir, 'repositories')).path(id)
  }

  /** The file with the log of a job. */
  logFile(projectId: number, jobId: number): string {
    return join(this.settings.dataDir, 'traces', String(projectId), `${jobId}.log`)
  }

  /** Names of the files that are kept below a folder of the blob store, such as `users/7`. */
  async filesOf(folder: string): Promise<string[]> {
    const entries = await readdir(join(this.settings.dataDir, 'blobs'), {
      recursive: true,
      withFileTypes: true,
    })
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    return files.filter((file) => file.startsWith(join(this.settings.dataDir, 'blobs', folder) + sep))
  }

  /** Calls the API as a user or without credentials. `path` is relative to `/api/v4`. */
  fetch(
    method: string,
    path: string,
    { body, as, headers }: { body?: object; as?: Person; headers?: Record<string, string> } = {},
  ): Promise<Response> {
    return fetch(`${this.url}/api/v4${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(as ? { 'private-token': as.token } : {}),
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      body: body ? JSON.stringify(body) : null,
    })
  }

  /** Like `fetch`, by default as the administrator. Throws if the call fails. */
  async json<T>(method: string, path: string, body?: object, as: Person = this.root): Promise<T> {
    const response = await this.fetch(method, path, { ...(body && { body }), as })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }
}

/** The value of the cookie of a new session of a user, written to the store of a coordinator. */
export async function openSessionOf(settings: DatabaseSettings, { id }: Pick<Person, 'id'>): Promise<string> {
  const database = connectDatabase(settings)
  try {
    const { cookie } = await openSession(database, {
      user: { id },
      staysSignedIn: false,
      isConfirmed: true,
      personalTokenId: null,
      address: '127.0.0.1',
      userAgent: 'test',
    })
    return cookie
  } finally {
    await database.destroy()
  }
}

/** The error of a TypeScript client for a refused call. */
export interface Refusal {
  status: number | undefined
  /** The message that the client parsed from the body. */
  description: string | undefined
}

/** Waits for a call of @gitbeaker/rest that must be refused. */
export async function refusalOf(call: Promise<unknown>): Promise<Refusal> {
  try {
    await call
  } catch (error) {
    if (!isRequestError(error)) throw error
    return { status: error.cause.response.status, description: error.cause.description }
  }
  throw new Error('The call was not refused')
}

/** The package does not export the class. */
function isRequestError(
  error: unknown,
): error is { cause: { response: { status: number }; description: string } } {
  return (
    error instanceof Error &&
    error.name === 'GitbeakerRequestError' &&
    typeof error.cause === 'object' &&
    error.cause !== null &&
    'response' in error.cause
  )
}

function clientOf(url: string, token: string): Gitbeaker {
  return new Gitlab({ host: url, token })
}
