import { sql } from 'kysely'

import { finishJob } from '../../../../src/coordinator/ci/engine/finish/finish-job.js'
import { retryPipeline } from '../../../../src/coordinator/ci/engine/retry/retry-pipeline.js'
import { changeRefs } from '../../../../src/coordinator/hosting/repositories/change/change-refs.js'
import { findProject } from '../../../../src/coordinator/hosting/repositories/store.js'
import { performTask } from '../../../../src/coordinator/planning/merge-requests/merge/perform-task.js'
import type { RefreshListeners } from '../../../../src/coordinator/planning/merge-requests/refresh/listeners.js'
import { refreshMergeRequest } from '../../../../src/coordinator/planning/merge-requests/refresh/refresh.js'
import {
  findRefreshes,
  finishRefresh,
} from '../../../../src/coordinator/planning/stores/merge-request-refresh-store.js'
import {
  findTasks,
  finishTask,
} from '../../../../src/coordinator/planning/stores/merge-request-task-store.js'
import { listAccountsOperations } from '../../../../src/coordinator/start/operations/accounts.js'
import { listHostingOperations } from '../../../../src/coordinator/start/operations/hosting.js'
import { listPlanningOperations } from '../../../../src/coordinator/start/operations/planning.js'
import {
  mergeRequestListeners,
  mergeRequestTaskDeps,
} from '../../../../src/coordinator/start/services/merge-request-listeners.js'
import { pushDeps } from '../../../../src/coordinator/start/services/push-deps.js'
import { ZERO_ID } from '../../../../src/git/names.js'
import { type OpenDatabase, openSqlite } from '../../../support/databases.js'
import { gitOk } from '../../../support/git-client.js'
import { sceneForFile } from '../../../support/scene-for-file.js'
import { LooseCommits } from '../../support/loose-commits.js'
import { addPerson, type Person } from '../../support/test-app.js'
import { openTestApp, openTestServices } from '../../support/test-coordinator.js'

export interface GitRecord {
  id: number
  iid: number
  project_id: number
  sha: string
  state: string
  merge_status: string
  detailed_merge_status: string
  [key: string]: unknown
}

/**
 * The API with the public project `ada/app`, whose branch `main` has the file `a.txt` with ten lines, and git. No worker
 * runs: `refresh` does what is due.
 */
export async function openGitScene(open: OpenDatabase = openSqlite, listeners: RefreshListeners = {}) {
  return gitSceneOf(await openGitServer(open), listeners)
}

/** Opens the server once for all tests of a file. Each gets an empty store, and a project that no other test has had. */
export function gitSceneForFile() {
  const server = sceneForFile(openGitServer)
  return async (open?: OpenDatabase, listeners: RefreshListeners = {}) =>
    gitSceneOf(await server(open), listeners)
}

/** The API, and git, without a project. */
async function openGitServer(open: OpenDatabase) {
  const services = await openTestServices({ open })
  const app = openTestApp(services, {
    operations: (all, deps) => [
      ...listPlanningOperations(all, deps),
      ...listHostingOperations(all, deps),
      ...listAccountsOperations(all, deps),
    ],
  })
  return { services, app, ada: await addPerson(services.database, 'ada') }
}

type GitServer = Awaited<ReturnType<typeof openGitServer>>

async function gitSceneOf({ services, app, ada }: GitServer, listeners: RefreshListeners) {
  const { database, repositories } = services
  /** As `ada` unless `as` is given. */
  const call = async (route: string, body?: object, as: Person = ada): Promise<[number, unknown]> => {
    const response = await app.call(as, route, body)
    return [response.statusCode, response.body === '' ? '' : response.json()]
  }
  const ok = async <T = GitRecord>(route: string, body?: object, as?: Person): Promise<T> => {
    const [status, result] = await call(route, body, as)
    if (status >= 300) throw new Error(`${route}: ${status} ${JSON.stringify(result)}`)
    return result as T
  }
  const project = await ok<{ id: number }>('POST /projects', { name: 'app', visibility: 'public' })
  /** Moves branches to commits at once, as one push of the owner would. */
  const push = async (heads: Record<string, string>) => {
    const pushes = pushDeps(services)
    const changes = await Promise.all(
      Object.entries(heads).map(async ([branch, after]) => {
        const ref = `refs/heads/${branch}`
        return { ref, after, before: (await repositories.resolveRef(project.id, ref))?.sha ?? ZERO_ID }
      }),
    )
    const of = await findProject(database, project.id)
    if (!of) throw new Error('The project is gone')
    const changer = { project: of, user: ada, accessLevel: 50, signal: new AbortController().signal }
    await changeRefs(pushes, changer, changes)
  }
  const commits = new LooseCommits(repositories.path(project.id))
  /** Pushes a commit that git need not make. Undefined if only git knows what the branch has. */
  const commitLoosely = async (
    files: Record<string, string | null>,
    { branch, from }: { branch: string; from?: string },
  ): Promise<string | undefined> => {
    const head = await commits.headOf(branch)
    const isFirst = branch === 'main' && head === undefined && from === undefined
    const parent = from === undefined ? head : head === undefined ? await commits.headOf(from) : undefined
    if (parent === undefined && !isFirst) return undefined
    const author = { name: ada.name, email: ada.email }
    const sha = await commits.write({ parent, files, message: `Change ${branch}`, author })
    if (sha !== undefined) await push({ [branch]: sha })
    return sha
  }
  /** Commits files on a branch, which is made from `from` if that is given; null deletes a file. */
  const commit = async (
    files: Record<string, string | null>,
    { branch, from, at = project.id, as }: { branch: string; from?: string; at?: number; as?: Person },
  ): Promise<string> => {
    if (at === project.id && as === undefined) {
      const sha = await commitLoosely(files, { branch, from })
      if (sha !== undefined) return sha
    }
    const known = await ok<{ path: string }[]>(
      `GET /projects/${at}/repository/tree?ref=${from ?? branch}`,
      undefined,
      as,
    ).catch(() => [])
    const actions = Object.entries(files).map(([file_path, content]) =>
      content === null
        ? { action: 'delete', file_path }
        : { action: known.some(({ path }) => path === file_path) ? 'update' : 'create', file_path, content },
    )
    const body = { branch, ...(from && { start_branch: from }), commit_message: `Change ${branch}`, actions }
    return (await ok<{ id: string }>(`POST /projects/${at}/repository/commits`, body, as)).id
  }
  const main = await commit({ 'a.txt': LINES.join('') }, { branch: 'main' })
  const P = `/projects/${project.id}`
  return {
    services,
    app,
    database,
    ada,
    call,
    ok,
    commit,
    project: project.id,
    P,
    /** Head of `main` at the start. */
    main,
    person: (name: string) => addPerson(database, name),
    push,
    git: (...args: string[]) => gitOk(repositories.path(project.id), ...args),
    /** Does what is due, as the worker would. */
    refresh: async () => {
      const deps = { database, blobs: services.blobs, repositories, listeners }
      for (const row of await findRefreshes(database)) {
        await refreshMergeRequest(deps, row.merge_request_id, row.pushed_by_id, new AbortController().signal)
        await finishRefresh(database, row)
      }
    },
    /** A merge request from `branch` of a project into `main`. */
    make: (branch: string, more: object = {}, { at = project.id, as }: { at?: number; as?: Person } = {}) =>
      ok(
        `POST /projects/${at}/merge_requests`,
        { source_branch: branch, target_branch: 'main', title: 'New', ...more },
        as,
      ),
    show: (iid: number) => ok(`GET ${P}/merge_requests/${iid}`),
  }
}

/**
 * As `openGitScene`, with the listeners and the tasks of a coordinator: `work` performs the tasks that are due, and `finishJobs` ends
 * the jobs of all pipelines.
 */
export async function openMergeScene(open: OpenDatabase = openSqlite) {
  return mergeSceneOf(await openGitServer(open))
}

/** Opens the server once for all tests of a file. Each gets an empty store, and a project that no other test has had. */
export function mergeSceneForFile() {
  const server = sceneForFile(openGitServer)
  return async (open?: OpenDatabase) => mergeSceneOf(await server(open))
}

async function mergeSceneOf(server: GitServer) {
  const listeners: RefreshListeners = {}
  const scene = await gitSceneOf(server, listeners)
  const { services, database } = scene
  const { engine } = services
  Object.assign(listeners, mergeRequestListeners(engine, scene.services.repositories))
  const deps = mergeRequestTaskDeps(services, pushDeps(services))
  return {
    ...scene,
    deps,
    work: async () => {
      for (const task of await findTasks(database)) {
        await performTask(deps, task, new AbortController().signal)
        await finishTask(database, task)
      }
    },
    /** Retries the failed jobs of the last pipeline. */
    retry: async () => {
      const pipelines = database.selectFrom('pipeline').selectAll()
      const last = await pipelines.orderBy('id', 'desc').executeTakeFirstOrThrow()
      const users = database.selectFrom('user').selectAll()
      const user = await users.where('id', '=', scene.ada.id).executeTakeFirstOrThrow()
      await retryPipeline(engine, last, user)
    },
    finishJobs: async (status: 'success' | 'failed') => {
      const jobs = await database
        .updateTable('job')
        .set(({ ref }) => ({ status: 'running', token_digest: sql`'digest of ' || ${ref('id')}` }))
        .where('status', '=', 'pending')
        .returningAll()
        .execute()
      if (jobs.length === 0) throw new Error('No job is pending')
      for (const job of jobs) {
        const failure = { status: 'failed', reason: 'script_failure', exitCode: 1 } as const
        await finishJob(engine, job, status === 'failed' ? failure : { status })
      }
    },
  }
}

/** Content of `a.txt` on `main`. */
export const LINES = Array.from({ length: 10 }, (_, index) => `line ${index + 1}\n`)

/** `a.txt` with one line changed, counted from 1. */
export function withLine(number: number, text: string): string {
  return LINES.with(number - 1, `${text}\n`).join('')
}
