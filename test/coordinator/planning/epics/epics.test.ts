import { expect, test } from 'vitest'

import { listAccountsOperations } from '../../../../src/coordinator/start/operations/accounts.js'
import { listPlanningOperations } from '../../../../src/coordinator/start/operations/planning.js'
import { describeOnDatabase, type OpenDatabase } from '../../../support/databases.js'
import { testAtNight } from '../../../support/nightly.js'
import { sceneForFile } from '../../../support/scene-for-file.js'
import { addPerson, EXTERNAL_URL, type Person } from '../../support/test-app.js'
import { openTestApp, openTestServices } from '../../support/test-coordinator.js'

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string

type StatusAndBody = [status: number, body: unknown]

interface Scene {
  /** Calls an operation as `root` unless `as` is given. */
  call: (route: string, body?: object, as?: Person | null) => Promise<StatusAndBody>
  /** Adds a user, who is a member of the group if a level is given. */
  person: (name: string, level?: number) => Promise<Person>
  /** `/groups/<id>` of a public group with the path `team`. */
  G: string
}

async function buildScene(open: OpenDatabase): Promise<Scene> {
  const services = await openTestServices({ open })
  const app = openTestApp(services, {
    operations: (all, deps) => [...listPlanningOperations(all, deps), ...listAccountsOperations(all, deps)],
  })
  const root = await addPerson(services.database, 'root', { admin: true })
  const call = async (route: string, body?: object, as: Person | null = root): Promise<StatusAndBody> => {
    const response = await app.call(as ?? undefined, route, body)
    return [response.statusCode, response.body === '' ? '' : response.json()]
  }
  const [, group] = await call('POST /groups', { name: 'Team', path: 'team', visibility: 'public' })
  const G = `/groups/${(group as { id: number }).id}`
  return {
    call,
    G,
    person: async (name, access_level) => {
      const person = await addPerson(services.database, name)
      if (access_level) await call(`POST ${G}/members`, { user_id: person.id, access_level })
      return person
    },
  }
}

const openScene = sceneForFile(buildScene)

describeOnDatabase('an epic', (open) => {
  test('is created, read, changed, closed, reopened and deleted', async () => {
    const { call, G } = await openScene(open)
    const dates = { start_date: '2030-01-01', due_date: '2030-12-31' }
    const record = {
      id: expect.any(Number) as number,
      iid: 1,
      group_id: Number(G.split('/')[2]),
      title: 'Logs',
      description: 'Text',
      state: 'opened',
      author: expect.objectContaining({ username: 'root' }) as object,
      ...dates,
      parent_id: null,
      parent_iid: null,
      created_at: TIME,
      updated_at: TIME,
      closed_at: null,
      web_url: `${EXTERNAL_URL}/groups/team/-/epics/1`,
      references: { short: '&1', relative: '&1', full: 'team&1' },
    }
    expect(await call(`POST ${G}/epics`, { title: ' Logs ', description: 'Text', ...dates })).toMatchObject([
      201,
      record,
    ])
    expect(await call(`GET ${G}/epics/1`)).toMatchObject([200, record])
    const closed = { ...record, title: 'Long logs', due_date: null, state: 'closed', closed_at: TIME }
    const changes = { title: 'Long logs', due_date: null, state_event: 'close' }
    expect(await call(`PUT ${G}/epics/1`, changes)).toMatchObject([200, closed])
    const reopened = { ...closed, state: 'opened', closed_at: null }
    expect(await call(`PUT ${G}/epics/1`, { state_event: 'reopen' })).toMatchObject([200, reopened])
    expect(await call(`DELETE ${G}/epics/1`)).toEqual([204, ''])
    expect((await call(`GET ${G}/epics/1`))[0]).toBe(404)
    const [, next] = await call(`POST ${G}/epics`, { title: 'Next' })
    expect(next).toMatchObject({ iid: 2 })
  })

  test('is refused without a title, and when it is due before it starts', async () => {
    const { call, G } = await openScene(open)
    expect(await call(`POST ${G}/epics`, { title: ' ' })).toEqual([
      400,
      { message: { title: ["can't be blank"] } },
    ])
    await call(`POST ${G}/epics`, { title: 'a', start_date: '2030-02-01' })
    expect(await call(`PUT ${G}/epics/1`, { due_date: '2030-01-31' })).toEqual([
      400,
      {
        message: {
          start_date: ['must be less than or equal to due date'],
          due_date: ['must be greater than or equal to start date'],
        },
      },
    ])
    expect((await call(`PUT ${G}/epics/1`))[0]).toBe(400)
  })

  test('is found by number, state, author, text and time', async () => {
    const { call, G, person } = await openScene(open)
    const ann = await person('ann', 20)
    await call(`POST ${G}/epics`, { title: 'b', description: 'About logs' })
    await call(`POST ${G}/epics`, { title: 'a' }, ann)
    await call(`PUT ${G}/epics/2`, { state_event: 'close' })
    const listed = async (query: string): Promise<string[]> => {
      const [, body] = await call(`GET ${G}/epics?${query}`)
      return (body as { title: string }[]).map(({ title }) => title)
    }
    expect(await listed('')).toEqual(['a', 'b'])
    expect(await listed('order_by=title&sort=desc')).toEqual(['b', 'a'])
    expect(await listed('iids[]=1')).toEqual(['b'])
    expect(await listed('state=closed')).toEqual(['a'])
    expect(await listed(`author_id=${ann.id}`)).toEqual(['a'])
    expect(await listed('search=LOGS')).toEqual(['b'])
    expect(await listed('created_after=2999-01-01T00:00:00Z')).toEqual([])
    expect(await listed('updated_before=2999-01-01T00:00:00Z')).toEqual(['a', 'b'])
  })

  test('is read by all who see the group, changed by reporters, and deleted by owners', async () => {
    const { call, G, person } = await openScene(open)
    await call(`POST ${G}/epics`, { title: 'a' })
    const [guest, reporter] = [await person('guest', 10), await person('reporter', 20)]
    expect((await call(`GET ${G}/epics`, undefined, null))[0]).toBe(200)
    expect((await call(`POST ${G}/epics`, { title: 'b' }, guest))[0]).toBe(403)
    expect((await call(`PUT ${G}/epics/1`, { title: 'c' }, reporter))[0]).toBe(200)
    expect((await call(`DELETE ${G}/epics/1`, undefined, reporter))[0]).toBe(403)
  })

  testAtNight('belongs to the user ghost when its author is deleted', async () => {
    const { call, G, person } = await openScene(open)
    const ann = await person('ann', 20)
    await call(`POST ${G}/epics`, { title: 'a' }, ann)
    expect((await call(`DELETE /users/${ann.id}`))[0]).toBe(204)
    expect(await call(`GET ${G}/epics/1`)).toMatchObject([200, { author: { username: 'ghost' } }])
  })
})
