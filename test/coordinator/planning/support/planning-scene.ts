import { listAccountsOperations } from '../../../../src/coordinator/start/operations/accounts.js'
import { listProjectOperations } from '../../../../src/coordinator/start/operations/hosting.js'
import { listIntegrationsOperations } from '../../../../src/coordinator/start/operations/integrations.js'
import { listPlanningOperations } from '../../../../src/coordinator/start/operations/planning.js'
import type { OpenDatabase } from '../../../support/databases.js'
import { RecordedRepositories } from '../../support/repositories.js'
import { addPerson, type Person } from '../../support/test-app.js'
import { openTestApp, openTestServices, type TestServicesOptions } from '../../support/test-coordinator.js'

type StatusAndBody = [status: number, body: unknown]

/** What most records have. */
export interface Made {
  id: number
  iid: number
}

/** Branches that every project has. */
const BRANCHES = ['main', 'a', 'b', 'c', 'd']

/** A public group `team` with the public project `app`, and the project `other`, which only its members see. */
export async function openPlanningScene(
  open: OpenDatabase,
  { settings = {} }: Pick<TestServicesOptions, 'settings'> = {},
) {
  const repositories = await RecordedRepositories.open(BRANCHES)
  const services = await openTestServices({ open, settings, overrides: { repositories } })
  const app = openTestApp(services, {
    operations: (all, deps) => [
      ...listPlanningOperations(all, deps),
      ...listProjectOperations(all, deps),
      ...listAccountsOperations(all, deps),
      ...listIntegrationsOperations(all, deps),
    ],
  })
  const root = await addPerson(services.database, 'root', { admin: true })
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
    const added = await addPerson(services.database, name)
    if (at !== undefined) await ok(`POST ${at}/members`, { user_id: added.id, access_level })
    return added
  }
  const visibility = 'public'
  const group = await ok('POST /groups', { name: 'Team', path: 'team', visibility })
  const project = await ok('POST /projects', { name: 'app', namespace_id: group.id, visibility })
  const other = await ok('POST /projects', { name: 'other', namespace_id: group.id })
  return {
    /** Creates a merge request of a branch into `main`. */
    propose: (source_branch: string, body: object = {}, as?: Person) =>
      ok(
        `POST /projects/${project.id}/merge_requests`,
        { source_branch, target_branch: 'main', title: source_branch, ...body },
        as,
      ),
    services,
    app,
    database: services.database,
    root,
    call,
    ok,
    person,
    group: group.id,
    project: project.id,
    other: other.id,
    G: `/groups/${group.id}`,
    P: `/projects/${project.id}`,
    O: `/projects/${other.id}`,
  }
}

export type PlanningScene = Awaited<ReturnType<typeof openPlanningScene>>
