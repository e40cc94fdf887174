import { inspect } from 'node:util'

import { expect, test } from 'vitest'

import { isRecord } from '../../src/lib/is-record.js'
import { IS_NIGHTLY } from '../support/nightly.js'
import { accountRows } from './rows/accounts.js'
import { ciRows } from './rows/ci.js'
import { machineRows } from './rows/machines.js'
import { memberRows } from './rows/members.js'
import { planningRows } from './rows/planning.js'
import { repositoryRows } from './rows/repository.js'
import type { Calls, ExpectedRefusal, Fields, Key, Place, ResourceRow } from './rows/row.js'
import { settingRows } from './rows/settings.js'
import { type PythonRefusal, runPython } from './support/python.js'
import { type Person, type Refusal, refusalOf, Service } from './support/service.js'

type Refused = PythonRefusal | Refusal

/** What a client saw of one resource. */
interface Seen {
  made: Key[]
  /** The list, page for page, before and after those that were made are removed. */
  paged: Key[]
  left: Key[]
  read?: Key
  changed?: Fields
  refused?: Refused
  hidden?: Refused
  /** The statuses of a second deletion and of reading the deleted object. */
  gone?: Refused
  absent?: Refused
}

/** One row that fails does not hide the others. */
type Outcome = Seen | { failed: string }

const ABSENCES = { filter: {}, change: null, wrong: null, absent: null, readable: true }

/** In the nightly run, each client has all rows; in others, the two clients take turns. */
function rowsOf(client: 'python-gitlab' | '@gitbeaker/rest', place: Place): ResourceRow[] {
  const tables = [memberRows, repositoryRows, machineRows, settingRows, ciRows, planningRows, accountRows]
  const rows = tables.flatMap((table) => table(place))
  const turn = client === 'python-gitlab' ? 0 : 1
  return rows.filter((_, index) => IS_NIGHTLY || index % 2 === turn)
}

test('python-gitlab makes, reads, lists over pages, changes and removes resources, and tells what is refused', async () => {
  const { service, place, outsider } = await openScene()
  const rows = rowsOf('python-gitlab', place)
  const seen = await runPython<Record<string, Outcome>>('resources.py', {
    url: service.url,
    token: service.root.token,
    outsider: outsider.token,
    ...place,
    rows: rows.map((row) => ({ ...ABSENCES, gone: goneOf(row) ?? null, ...row })),
  })
  for (const row of rows) expectAll(row, seen[row.resource])
})

test('@gitbeaker/rest makes, reads, lists over pages, changes and removes resources, and tells what is refused', async () => {
  const { service, place, outsider } = await openScene()
  for (const row of rowsOf('@gitbeaker/rest', place)) {
    const calls = row.gitbeaker(service.root.gitbeaker)
    const seen = live(row, calls, row.gitbeaker(outsider.gitbeaker))
    expectAll(row, await seen.catch((error: unknown) => ({ failed: inspect(error) })))
  }
})

async function openScene(): Promise<{ service: Service; place: Place; outsider: Person }> {
  const service = await Service.start()
  const [user, ...people] = await Promise.all(
    ['user', 'ann', 'bob', 'cyd', 'outsider'].map((name) => service.addPerson(name)),
  )
  const outsider = people.pop()
  if (!user || !outsider) throw new Error('Somebody is missing')
  const group = await service.json<{ id: number }>('POST', '/groups', { name: 'Team', path: 'team' })
  const project = await service.addProject()
  const release = { tag_name: 'v0', ref: 'main', description: 'First' }
  await service.json('POST', `/projects/${project.id}/releases`, release)
  await service.json('POST', `/projects/${project.id}/issues`, { title: 'First' })
  const numbers = people.map(({ id }) => id)
  return {
    service,
    outsider,
    place: { project: project.id, group: group.id, user: user.id, people: numbers },
  }
}

/** What resources.py does, by the other client. */
async function live(row: ResourceRow, calls: Calls, outsiders: Calls): Promise<Seen> {
  const keyOf = (record: unknown): Key => keyIn(record, row.key)
  const keys = (records: unknown): Key[] => (Array.isArray(records) ? records.map(keyOf) : [])
  const created: unknown[] = []
  for (const body of row.bodies) created.push(await calls.create(body))
  // What says that it was done, not what was made, is known by what was asked.
  const made = created.map((record, index) => keyIn({ ...row.bodies[index], ...asRecord(record) }, row.key))
  const first = made[0] ?? ''
  const seen = {
    made,
    paged: keys(await calls.all({ perPage: 2 })),
    ...(row.wrong && { refused: await refusalOf(calls.create(row.wrong.body)) }),
    ...(calls.show && { read: keyOf(await calls.show(first)) }),
    ...(row.change && calls.edit && { changed: await change(row, calls, calls.edit, first) }),
    ...(row.hidden && { hidden: await refusalOf(outsiders.all({ perPage: 2 })) }),
  }
  if (!calls.remove) return { ...seen, left: seen.paged.filter((key) => !made.includes(key)) }
  for (const key of made) await calls.remove(key)
  return {
    ...seen,
    left: keys(await calls.all({ perPage: 2 })),
    ...(goneOf(row) && { gone: await refusalOf(calls.remove(first)) }),
    ...(calls.show && row.absent && { absent: await refusalOf(calls.show(first)) }),
  }
}

async function change(row: ResourceRow, { show }: Calls, edit: (key: Key) => Promise<unknown>, key: Key) {
  const served = await edit(key)
  const record = asRecord(show ? await show(key) : served)
  return Object.fromEntries(Object.keys(row.change ?? {}).map((field) => [field, record[field]]))
}

function goneOf({ gone, absent }: ResourceRow): ExpectedRefusal | null | undefined {
  return gone === undefined ? absent : gone
}

function keyIn(record: unknown, field: string): Key {
  const key = asRecord(record)[field]
  if (typeof key !== 'string' && typeof key !== 'number')
    throw new Error(`There is no ${field} in the record`)
  return key
}

function asRecord(value: unknown): Fields {
  if (!isRecord(value)) throw new Error('A record was expected')
  return value
}

function expectAll(row: ResourceRow, seen: Outcome = { failed: 'not tried' }): void {
  if ('failed' in seen) {
    expect.soft(seen.failed, row.resource).toBe('')
    return
  }
  const { made, paged, left, read, changed, refused, hidden, gone, absent } = seen
  expect.soft(made, row.resource).toHaveLength(row.bodies.length)
  expect.soft(new Set(paged), row.resource).toEqual(new Set([...made, ...left]))
  expect.soft(paged, row.resource).toHaveLength(made.length + left.length)
  if (read !== undefined) expect.soft(read, row.resource).toBe(made[0])
  if (changed !== undefined) expect.soft(changed, row.resource).toEqual(row.change)
  expectRefusal(row, refused, row.wrong)
  expectRefusal(row, hidden, row.hidden)
  expectRefusal(row, gone, goneOf(row))
  expectRefusal(row, absent, row.absent)
}

/** Both clients read the same response; one of them makes text of an object. */
function expectRefusal(
  { resource }: ResourceRow,
  told: Refused | undefined,
  wanted: ExpectedRefusal | null | undefined,
): void {
  if (!told || !wanted) return
  const { status, message } = wanted
  const text = typeof message === 'string' ? message : JSON.stringify(message)
  const read = 'description' in told ? { status, description: text } : { status, message }
  expect.soft(told, resource).toMatchObject(read)
}
