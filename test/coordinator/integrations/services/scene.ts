import { Fields } from '../../../../src/coordinator/integrations/services/fields.js'
import type { Happening } from '../../../../src/coordinator/integrations/services/senders/sender.js'
import { Settings } from '../../../../src/coordinator/integrations/services/settings.js'
import { listAccountsOperations } from '../../../../src/coordinator/start/operations/accounts.js'
import { listHostingOperations } from '../../../../src/coordinator/start/operations/hosting.js'
import { listIntegrationsOperations } from '../../../../src/coordinator/start/operations/integrations.js'
import { listPlanningOperations } from '../../../../src/coordinator/start/operations/planning.js'
import { type OpenDatabase, openSqlite } from '../../../support/databases.js'
import { onFinished } from '../../../support/lifetime.js'
import { sceneForFile } from '../../../support/scene-for-file.js'
import { addPerson } from '../../support/test-app.js'
import { openTestApp, openTestServices, type TestServicesOptions } from '../../support/test-coordinator.js'

export type Body = Record<string, unknown>

interface SceneOptions {
  settings?: NonNullable<TestServicesOptions['settings']>
  /** Besides those of all wings but CI. */
  operations?: typeof listPlanningOperations
}

/** A public project with a README, whose owner is `ada`. */
export async function openScene(open: OpenDatabase = openSqlite, options: SceneOptions = {}) {
  return withProject(await openServer(open, options))
}

/** Opens the server once for all tests of a file. Each gets an empty store, and a project that no other test has had. */
export function serviceSceneForFile(options: SceneOptions = {}) {
  const server = sceneForFile((open) => openServer(open, options))
  return async (open?: OpenDatabase) => withProject(await server(open))
}

async function openServer(open: OpenDatabase, { settings, operations = () => [] }: SceneOptions) {
  const services = await openTestServices({
    open,
    settings: { egress: { allowLocalNetwork: true }, ...settings },
  })
  const app = openTestApp(services, {
    operations: (all, deps) => [
      ...listPlanningOperations(all, deps),
      ...listHostingOperations(all, deps),
      ...listAccountsOperations(all, deps),
      ...listIntegrationsOperations(all, deps),
      ...operations(all, deps),
    ],
  })
  return { services, app }
}

async function withProject({ services, app }: Awaited<ReturnType<typeof openServer>>) {
  const ada = await addPerson(services.database, 'ada')
  const call = async (route: string, body?: object): Promise<[number, Body]> => {
    const response = await app.call(ada, route, body)
    return [response.statusCode, response.body === '' ? {} : response.json()]
  }
  const ok = async (route: string, body?: object): Promise<Body> => {
    const [status, result] = await call(route, body)
    if (status >= 300) throw new Error(`${route}: ${status} ${JSON.stringify(result)}`)
    return result
  }
  const project = await ok('POST /projects', {
    name: 'app',
    visibility: 'public',
    initialize_with_readme: true,
  })
  const P = `/projects/${String(project['id'])}`
  /** Delivers events until the test has finished. */
  const deliver = () => {
    const stopping = new AbortController()
    const running = services.deliveryWorker.run(stopping.signal)
    onFinished(async () => {
      stopping.abort()
      await running
    })
  }
  return { services, app, ada, call, ok, P, deliver }
}

/** An event as a sender gets it. */
export function happeningOf(event: object, values: Body, more: Partial<Happening> = {}): Happening {
  return {
    payload: JSON.stringify(event),
    event: new Fields(event),
    settings: new Settings(values),
    wants: () => true,
    key: 'key-1',
    purpose: 'event',
    facts: {
      hasMergeRequest: () => Promise.resolve(false),
      isProtected: () => Promise.resolve(false),
      diff: () => Promise.resolve('the diff'),
      logFailure: (id) => Promise.resolve(`end of job ${id}`),
      emailOf: (id) => Promise.resolve(`user-${id}@example.com`),
      defaultBranch: () => Promise.resolve('main'),
    },
    ...more,
  }
}
