import { expect, test } from 'vitest'

import { cancelPipeline } from '../../../src/coordinator/ci/engine/retry/cancel.js'
import { connectDatabase } from '../../../src/coordinator/database/connect.js'
import { listAccountsOperations } from '../../../src/coordinator/start/operations/accounts.js'
import { listCiOperations } from '../../../src/coordinator/start/operations/ci.js'
import { openPostgres } from '../../support/databases.js'
import { openForFile } from '../../support/lifetime.js'
import { jobNamed, pushPipeline, startCiCoordinator } from '../support/ci-coordinator.js'
import { nextHeld } from '../support/next-held.js'
import { RunnerClient } from '../support/runner-client.js'
import { addPerson, type Person } from '../support/test-app.js'
import { openTestApp, openTestServices } from '../support/test-coordinator.js'

/** A coordinator that responds, and another one on the same store where something changes. */
const scene = openForFile(async () => {
  const store = await openPostgres()
  const here = await startCiCoordinator({ longPollSeconds: 60 }, () => Promise.resolve(store))
  const services = await openTestServices({
    open: async () => ({ ...store, database: connectDatabase(store.settings) }),
    overrides: { repositories: here.repositories },
    dataDir: here.settings.dataDir,
  })
  const elsewhere = openTestApp(services, {
    operations: (...given) => [...listAccountsOperations(...given), ...listCiOperations(...given)],
  })
  here.channel?.start()
  services.channel?.start()
  return { here, services, elsewhere }
})

let people = 0

/** A new member of the group of the project. */
async function addMember(access_level: number): Promise<Person> {
  const { here, elsewhere } = scene()
  const person = await addPerson(here.database, `member-${++people}`)
  const added = await elsewhere.call(here.admin, 'POST /groups/group/members', {
    user_id: person.id,
    access_level,
  })
  expect(added.statusCode).toBe(201)
  return person
}

const MAINTAINER = 40

test.each<[string, (person: Person) => Promise<[route: string, body?: object]>, number]>([
  [
    'a token that was revoked',
    async (person) => [`DELETE /personal_access_tokens/${await tokenOf(person)}`],
    401,
  ],
  ['a user who was blocked', async ({ id }) => [`POST /users/${id}/block`], 403],
  ['a user who was deleted', async ({ id }) => [`DELETE /users/${id}`], 401],
  [
    'a member with a lower role',
    async ({ id }) => [`PUT /groups/group/members/${id}`, { access_level: 20 }],
    403,
  ],
  ['a member who was removed', async ({ id }) => [`DELETE /groups/group/members/${id}`], 404],
])('the next request of %s is refused by every coordinator', async (_, change, status) => {
  const { here, elsewhere } = scene()
  const person = await addMember(MAINTAINER)
  const route = `GET /projects/${here.project.id}/variables`
  // Twice, so that what can be remembered is.
  for (let time = 0; time < 2; time++) expect((await here.app.call(person, route)).statusCode).toBe(200)
  const [changing, body] = await change(person)
  expect((await elsewhere.call(here.admin, changing, body)).statusCode).toBeLessThan(300)
  expect((await here.app.call(person, route)).statusCode).toBe(status)
})

test.each<[string, (id: number) => [route: string, body?: object], number]>([
  ['deleted', (id) => [`DELETE /runners/${id}`], 403],
  ['paused', (id) => [`PUT /runners/${id}`, { paused: true }], 204],
])(
  'a runner that was %s gets no job for a request that another coordinator holds',
  async (state, change, status) => {
    const { here, services, elsewhere } = scene()
    const runner = await RunnerClient.register(here, { description: state })
    const last_update = await runner.lastUpdate()
    const isHeld = nextHeld(here)
    const held = runner.request({ last_update })
    await isHeld
    const { id } = await here.database
      .selectFrom('runner')
      .select('id')
      .where('description', '=', state)
      .executeTakeFirstOrThrow()
    expect((await elsewhere.call(here.admin, ...change(id))).statusCode).toBeLessThan(300)
    const pipeline = await pushPipeline({ ...here, engine: services.engine }, 'build: { script: [make] }')
    expect((await held).status).toBe(status)
    expect(await jobNamed(here, 'build')).toMatchObject({ status: 'pending', runner_id: null })
    await cancelPipeline(services.engine, pipeline)
  },
)

async function tokenOf({ id }: Person): Promise<number> {
  const token = await scene()
    .here.database.selectFrom('personal_access_token')
    .select('id')
    .where('user_id', '=', id)
    .executeTakeFirstOrThrow()
  return token.id
}
