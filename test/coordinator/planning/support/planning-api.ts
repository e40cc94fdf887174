import type { PushDeps } from '../../../../src/coordinator/hosting/repositories/push/handle-push.js'
import type { Operation } from '../../../../src/coordinator/http/operation.js'
import type { OperationListDeps } from '../../../../src/coordinator/start/operation-list-deps.js'
import { listAccountsOperations } from '../../../../src/coordinator/start/operations/accounts.js'
import { listProjectOperations } from '../../../../src/coordinator/start/operations/hosting.js'
import { listIntegrationsOperations } from '../../../../src/coordinator/start/operations/integrations.js'
import { listPlanningOperations } from '../../../../src/coordinator/start/operations/planning.js'
import type { Services } from '../../../../src/coordinator/start/services/services.js'
import type { OpenDatabase } from '../../../support/databases.js'
import { RecordedRepositories } from '../../support/repositories.js'
import { addPerson, type Person } from '../../support/test-app.js'
import { openTestApp, openTestServices, type TestServicesOptions } from '../../support/test-coordinator.js'

export type StatusAndBody = [status: number, body: unknown]

/** What most records have. */
export interface Made {
  id: number
  iid: number
}

type ListOperations = (services: Services, deps: OperationListDeps) => Operation[]

export interface PlanningApiOptions extends Pick<TestServicesOptions, 'settings'> {
  /** Branches that every project has. */
  branches?: string[]
  /** What a push does, instead of the default. */
  pushesOf?: (services: Services) => PushDeps
  /** By default, the operations of projects without those of their repositories. */
  listHosting?: ListOperations
  /** More operations. */
  listOthers?: ListOperations
}

/** The API of planning with an administrator. */
export async function openPlanningApi(
  open: OpenDatabase,
  {
    branches = [],
    settings = {},
    pushesOf,
    listHosting = listProjectOperations,
    listOthers = () => [],
  }: PlanningApiOptions = {},
) {
  const repositories = await RecordedRepositories.open(branches)
  const services = await openTestServices({ open, settings, overrides: { repositories } })
  const { database } = services
  const app = openTestApp(services, {
    ...(pushesOf && { pushes: pushesOf(services) }),
    operations: (all, deps) => [
      ...listPlanningOperations(all, deps),
      ...listHosting(all, deps),
      ...listAccountsOperations(all, deps),
      ...listIntegrationsOperations(all, deps),
      ...listOthers(all, deps),
    ],
  })
  const root = await addPerson(database, 'root', { admin: true })
  /** As `root` unless `as` is given; null is an anonymous caller. */
  const call = async (route: string, body?: object, as: Person | null = root): Promise<StatusAndBody> => {
    const response = await app.call(as ?? undefined, route, body)
    const isJson = String(response.headers['content-type']).startsWith('application/json')
    return [response.statusCode, isJson ? response.json() : response.body]
  }
  /** Like `call`, for requests that succeed; the body. */
  const ok = async <T = Made>(route: string, body?: object, as?: Person): Promise<T> => {
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
  const titles = async (path: string, as?: Person): Promise<string[]> =>
    (await ok<{ title: string }[]>(`GET ${path}`, undefined, as)).map(({ title }) => title)
  return { services, app, database, root, call, ok, person, titles }
}

/**
 * With the public group `team`, its project `app` and its group `sub`, which is private and has the project `deep`; and
 * with the project `own` in a personal namespace. All are IDs.
 */
export async function openNestedScene(open: OpenDatabase) {
  const api = await openPlanningApi(open)
  const visibility = 'public'
  const make = async (route: string, body: object) => (await api.ok(route, body)).id
  const group = await make('POST /groups', { name: 'Team', path: 'team', visibility })
  const sub = { name: 'Sub', path: 'sub', parent_id: group, visibility: 'private' }
  const below = await make('POST /groups', sub)
  return {
    ...api,
    group,
    below,
    project: await make('POST /projects', { name: 'app', namespace_id: group, visibility }),
    deep: await make('POST /projects', { name: 'deep', namespace_id: below }),
    own: await make('POST /projects', { name: 'own', visibility }),
  }
}
