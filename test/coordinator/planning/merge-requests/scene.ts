import { featureFlagOperations } from '../../../../src/coordinator/ci/feature-flags/operations.js'
import { emitFeatureFlagEvent } from '../../../../src/coordinator/integrations/webhooks/outbox/emit-feature-flag-event.js'
import { listAccountsOperations } from '../../../../src/coordinator/start/operations/accounts.js'
import { listProjectOperations } from '../../../../src/coordinator/start/operations/hosting.js'
import { listIntegrationsOperations } from '../../../../src/coordinator/start/operations/integrations.js'
import { listPlanningOperations } from '../../../../src/coordinator/start/operations/planning.js'
import type { OpenDatabase } from '../../../support/databases.js'
import { RecordedRepositories } from '../../support/repositories.js'
import { addPerson, type Person } from '../../support/test-app.js'
import { openTestApp, openTestServices } from '../../support/test-coordinator.js'

export type StatusAndBody = [status: number, body: unknown]

export interface Listed {
  id: number
  iid: number
  title: string
}

/** Branches that every project has. */
const BRANCHES = ['main', 'next', 'feature', 'fix', ...Array.from({ length: 20 }, (_, index) => `b${index}`)]

/** The API with the public project `team/app`, whose branches have no commits. */
export async function openMergeRequestScene(open: OpenDatabase) {
  const repositories = await RecordedRepositories.open(BRANCHES)
  const services = await openTestServices({ open, overrides: { repositories } })
  const { database } = services
  const app = openTestApp(services, {
    operations: (all, deps) => [
      ...listPlanningOperations(all, deps),
      ...listProjectOperations(all, deps),
      ...listAccountsOperations(all, deps),
      ...listIntegrationsOperations(all, deps),
      ...featureFlagOperations({ ...all, ...deps, onSwitched: emitFeatureFlagEvent }),
    ],
  })
  const root = await addPerson(database, 'root', { admin: true })
  /** As `root` unless `as` is given; null is an anonymous caller. */
  const call = async (route: string, body?: object, as: Person | null = root): Promise<StatusAndBody> => {
    const response = await app.call(as ?? undefined, route, body)
    return [response.statusCode, response.body === '' ? '' : response.json()]
  }
  const ok = async <T = Listed>(route: string, body?: object, as?: Person): Promise<T> => {
    const [status, result] = await call(route, body, as)
    if (status >= 300) throw new Error(`${route}: ${status} ${JSON.stringify(result)}`)
    return result as T
  }
  const person = async (name: string, at?: string, access_level?: number): Promise<Person> => {
    const added = await addPerson(database, name)
    if (at !== undefined) await ok(`POST ${at}/members`, { user_id: added.id, access_level })
    return added
  }
  const visibility = 'public'
  const group = await ok('POST /groups', { name: 'Team', path: 'team', visibility })
  const project = await ok('POST /projects', { name: 'app', namespace_id: group.id, visibility })
  const P = `/projects/${project.id}`
  return {
    services,
    database,
    root,
    call,
    ok,
    person,
    group: group.id,
    project: project.id,
    P,
    /** Creates a merge request from `feature` into `main`. */
    make: (body: object = {}, as?: Person) =>
      ok(
        `POST ${P}/merge_requests`,
        { source_branch: 'feature', target_branch: 'main', title: 'New', ...body },
        as,
      ),
    /** A fork that belongs to the owner. */
    fork: async (owner: Person) => {
      const fork = await ok('POST /projects', { name: `fork-of-${owner.username}`, visibility }, owner)
      await ok(`POST /projects/${fork.id}/fork/${project.id}`)
      return fork.id
    },
    titles: async (path: string, as?: Person) =>
      (await ok<Listed[]>(`GET ${path}`, undefined, as)).map(({ title }) => title),
  }
}
