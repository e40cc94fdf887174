import type { PushDeps } from '../../../src/coordinator/hosting/repositories/push/handle-push.js'
import { listAccountsOperations } from '../../../src/coordinator/start/operations/accounts.js'
import { listHostingOperations } from '../../../src/coordinator/start/operations/hosting.js'
import { listIntegrationsOperations } from '../../../src/coordinator/start/operations/integrations.js'
import { listPlanningOperations } from '../../../src/coordinator/start/operations/planning.js'
import { pushDeps } from '../../../src/coordinator/start/services/push-deps.js'
import type { Services } from '../../../src/coordinator/start/services/services.js'
import type { OpenDatabase } from '../../support/databases.js'
import { RecordedRepositories } from '../support/repositories.js'
import { addPerson, type Person } from '../support/test-app.js'
import { openTestApp, openTestServices } from '../support/test-coordinator.js'

type StatusAndBody = [status: number, body: unknown]

interface Record {
  id: number
}

export interface PlanningSceneOptions {
  /** What a push does, instead of the default. */
  pushesOf?: (services: Services) => PushDeps
}

/** A coordinator with the group `team` and its projects: `app`, which is public, and `secret`, which is private. */
export async function openPlanningScene(
  open: OpenDatabase,
  { pushesOf = pushDeps }: PlanningSceneOptions = {},
) {
  const repositories = await RecordedRepositories.open()
  const services = await openTestServices({ open, overrides: { repositories } })
  const { database } = services
  const app = openTestApp(services, {
    pushes: pushesOf(services),
    operations: (all, deps) => [
      ...listPlanningOperations(all, deps),
      ...listHostingOperations(all, deps),
      ...listAccountsOperations(all, deps),
      ...listIntegrationsOperations(all, deps),
    ],
  })
  const root = await addPerson(database, 'root', { admin: true })
  /** As `root` unless `as` is given; null is an anonymous caller. */
  const call = async (route: string, body?: object, as: Person | null = root): Promise<StatusAndBody> => {
    const response = await app.call(as ?? undefined, route, body)
    return [response.statusCode, response.body === '' ? '' : response.json()]
  }
  /** Like `call`, for requests that succeed. */
  const ok = async <T = Record>(route: string, body?: object, as?: Person): Promise<T> => {
    const [status, result] = await call(route, body, as)
    if (status >= 300) throw new Error(`${route}: ${status} ${JSON.stringify(result)}`)
    return result as T
  }
  /** Adds a user, who is a member of the group or project if a level is given. */
  const person = async (name: string, at?: string, access_level?: number): Promise<Person> => {
    const added = await addPerson(database, name)
    if (at !== undefined) await ok(`POST ${at}/members`, { user_id: added.id, access_level })
    return added
  }
  const group = await ok('POST /groups', { name: 'Team', path: 'team', visibility: 'public' })
  const add = async (name: string, visibility: string) => {
    const { id } = await ok('POST /projects', { name, namespace_id: group.id, visibility })
    return `/projects/${id}`
  }
  return {
    services,
    app,
    database,
    root,
    call,
    ok,
    person,
    G: `/groups/${group.id}`,
    P: await add('app', 'public'),
    secret: await add('secret', 'private'),
    /** Commits files to the default branch of a project. Returns the ID of the commit. */
    commit: async (at: string, files: { [path: string]: string }, commit_message = 'Change files') => {
      const actions = Object.entries(files).map(([file_path, content]) => ({
        action: 'create',
        file_path,
        content,
      }))
      const body = { branch: 'main', commit_message, actions }
      return (await ok<{ id: string }>(`POST ${at}/repository/commits`, body)).id
    },
  }
}
