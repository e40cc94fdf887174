import { Type } from 'typebox'
import { expect, test } from 'vitest'

import { auditEventOperations } from '../../../../src/coordinator/accounts/audit-events/operations.js'
import {
  createAuditTrail,
  deleteAuditEventsBefore,
  insertAuditEvent,
  listAuditEvents,
  resolveIntents,
} from '../../../../src/coordinator/accounts/audit-events/store.js'
import { forbidden } from '../../../../src/coordinator/http/errors.js'
import { operation } from '../../../../src/coordinator/http/operation.js'
import { describeOnDatabase } from '../../../support/databases.js'
import { testAtNight } from '../../../support/nightly.js'
import { addMember, addProject, type PeopleApi, peopleApiForFile } from '../../support/people-api.js'
import { addPerson, openApp } from '../../support/test-app.js'

const openPeopleApi = peopleApiForFile()

interface Event {
  id: number
  author_id: number
  entity_id: number
  entity_type: string
  details: Record<string, unknown>
  created_at: string
}

const PAGE = { page: 1, perPage: 20, offset: 0 }

async function events(api: PeopleApi): Promise<Pick<Event, 'author_id' | 'entity_type' | 'details'>[]> {
  const { rows } = await listAuditEvents(api.database, {}, PAGE)
  return rows
}

test('every change by a user is recorded with author, target and IP address', async () => {
  const api = await openPeopleApi()
  const owner = await addPerson(api.database, 'owner')
  const mary = await addPerson(api.database, 'mary')
  const project = await addProject(api, owner, { name: 'it' })
  await addMember(api, owner, project.id, mary, 30)
  const [joined, created] = await events(api)
  expect(created).toMatchObject({
    author_id: owner.id,
    entity_type: 'Project',
    entity_id: project.id,
    details: {
      add: 'project',
      author_name: 'owner',
      entity_path: 'owner/it',
      ip_address: '127.0.0.1',
      operation: 'POST /projects',
      request_id: expect.stringMatching(/^\w{32}$/) as string,
    },
  })
  expect(joined).toMatchObject({
    entity_type: 'Project',
    entity_id: project.id,
    details: {
      add: 'user_access',
      as: 'Developer',
      target_type: 'User',
      target_id: mary.id,
      target_details: 'mary',
    },
  })
})

test('failed and read-only operations record no audit event', async () => {
  const api = await openPeopleApi()
  const owner = await addPerson(api.database, 'owner')
  await api.call(owner, 'GET /projects')
  await api.call(owner, 'POST /projects', {})
  await api.call(undefined, 'POST /projects', { name: 'x' })
  expect(await events(api)).toEqual([])
})

test('under sudo both people are named', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  const response = await api.app.inject({
    method: 'POST',
    url: '/api/v4/projects?sudo=mary',
    headers: { 'private-token': api.root.token },
    payload: { name: 'hers' },
  })
  expect(response.json()).toMatchObject({ creator_id: mary.id })
  expect(await events(api)).toMatchObject([
    { author_id: api.root.id, details: { author_name: 'root', as_user: 'mary' } },
  ])
})

test('no secret gets into the trail', async () => {
  const api = await openPeopleApi()
  const owner = await addPerson(api.database, 'owner')
  const { id } = await addProject(api, owner, { name: 'it' })
  const variable = await api.call(owner, `POST /projects/${id}/variables`, {
    key: 'PASSWORD',
    value: 'very-secret-value',
  })
  expect(variable.statusCode).toBe(201)
  const token = await api.call(api.root, `POST /users/${owner.id}/personal_access_tokens`, {
    name: 'deploys',
    scopes: ['api'],
  })
  expect(token.statusCode).toBe(201)
  const trail = JSON.stringify(await events(api))
  expect(trail).not.toContain('very-secret-value')
  expect(trail).not.toContain(token.json<{ token: string }>().token)
  expect(trail).not.toContain(owner.token)
  expect(trail).toContain('deploys')
})

test('audit events name deleted objects', async () => {
  const api = await openPeopleApi()
  const owner = await addPerson(api.database, 'owner')
  const { id } = await addProject(api, owner, { name: 'it' })
  await api.call(owner, `DELETE /projects/${id}`)
  const [deleted] = await events(api)
  expect(deleted).toMatchObject({
    entity_id: id,
    details: { remove: 'project', entity_path: 'owner/it' },
  })
})

testAtNight('an audit event records the old and new value of each changed attribute', async () => {
  const api = await openPeopleApi()
  const owner = await addPerson(api.database, 'owner')
  const mary = await addPerson(api.database, 'mary')
  const { id } = await addProject(api, owner, { name: 'it', visibility: 'private' })
  await addMember(api, owner, id, mary, 30)
  const calls = [
    [owner, `PUT /projects/${id}`, { visibility: 'public', name: 'That', description: 'secret plans' }],
    [owner, `PUT /projects/${id}/members/${mary.id}`, { access_level: 40, expires_at: '2999-01-01' }],
    [owner, `DELETE /projects/${id}/members/${mary.id}`, {}],
    [owner, `POST /projects/${id}/archive`, {}],
    [api.root, `PUT /users/${mary.id}`, { admin: true, password: 'correct horse battery' }],
  ] as const
  const told: Record<string, unknown>[][] = []
  for (const [who, route, body] of calls) {
    const before = (await events(api)).length
    expect((await api.call(who, route, body)).statusCode).toBeLessThan(300)
    const after = await events(api)
    told.push(after.slice(0, after.length - before).map(({ details }) => details))
  }
  expect(told).toMatchObject([
    [
      { change: 'visibility', from: 'Private', to: 'Public', entity_path: 'owner/it' },
      { change: 'name', from: 'it', to: 'That' },
    ],
    [
      { change: 'expires_at', from: null, to: '2999-01-01' },
      {
        change: 'access_level',
        from: 'Developer',
        to: 'Maintainer',
        target_type: 'User',
        target_id: mary.id,
      },
    ],
    [{ remove: 'user_access', target_type: 'User', target_id: mary.id }],
    [{ change: 'archived', from: false, to: true }],
    [{ change: 'is_admin', from: false, to: true, target_details: 'mary' }],
  ])
  expect(JSON.stringify(told)).not.toMatch(/secret plans|horse/)
})

test('an accepted access request is recorded like any other new member', async () => {
  const api = await openPeopleApi()
  const owner = await addPerson(api.database, 'owner')
  const mary = await addPerson(api.database, 'mary')
  const { id } = await addProject(api, owner, { name: 'it', visibility: 'public' })
  const asked = await api.call(mary, `POST /projects/${id}/access_requests`)
  const approve = `PUT /projects/${id}/access_requests/${mary.id}/approve`
  const approved = await api.call(owner, approve, { access_level: 20 })
  expect([asked.statusCode, approved.statusCode]).toEqual([201, 201])
  const target = { target_type: 'User', target_id: mary.id, target_details: 'mary' }
  const [letIn, wish] = (await events(api)).map(({ details }) => details)
  expect(wish).toMatchObject({ add: 'access_request', ...target })
  expect(letIn).toMatchObject({ add: 'user_access', as: 'Reporter', ...target })
  expect(letIn).not.toHaveProperty('change')
})

test('creation, rotation and revocation of tokens are recorded with the token ID', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  const route = `POST /users/${mary.id}/personal_access_tokens`
  const { id } = (await api.call(api.root, route, { name: 'x', scopes: ['api'] })).json<{ id: number }>()
  const rotated = await api.call(mary, `POST /personal_access_tokens/${id}/rotate`)
  const next = rotated.json<{ id: number }>().id
  await api.call(mary, `DELETE /personal_access_tokens/${next}`)
  expect((await events(api)).map(({ details }) => details['custom_message'])).toEqual([
    `Revoked personal access token with id ${next}`,
    `Rotated personal access token with id ${id}: the new one has id ${next}`,
    `Created personal access token with id ${id}`,
  ])
})

describeOnDatabase('What a coordinator was about to do when it was stopped', (openDatabase) => {
  const EVENT = { author_id: 1, entity_type: 'User', entity_id: 1, details: { add: 'x' } } as const

  test('is in the trail, once, with an outcome that is not known', async () => {
    const { database } = await openDatabase()
    const trail = createAuditTrail(database)
    const [lost, slow, done] = [await trail.begin(EVENT), await trail.begin(EVENT), await trail.begin(EVENT)]
    await trail.finish(done, [])
    await resolveIntents(database, Date.now() - 60_000)
    expect((await listAuditEvents(database, {}, PAGE)).total).toBe(0)
    await resolveIntents(database, Date.now() + 1)
    await resolveIntents(database, Date.now() + 1)
    await trail.finish(slow, [EVENT])
    const { rows } = await listAuditEvents(database, {}, PAGE)
    expect(rows.map(({ details }) => details)).toEqual([
      { add: 'x', outcome: 'unknown' },
      { add: 'x', outcome: 'unknown' },
    ])
    expect(lost).not.toBe(slow)
  })

  test('is stored before the change, and deleted when the change is refused', async () => {
    const { database } = await openDatabase()
    const seen: number[] = []
    const intents = () => database.selectFrom('audit_intent').select('id').execute()
    const acts = { fail: new Error('No disk'), refuse: forbidden(), work: undefined }
    const api = openApp(
      database,
      Object.entries(acts).map(([name, error]) =>
        operation(`POST /${name}`, {
          summary: 'Try something',
          access: 'user',
          responses: { 201: Type.Null() },
          run: async () => {
            seen.push((await intents()).length)
            if (error) throw error
            return null
          },
        }),
      ),
    )
    const mary = await addPerson(database, 'mary')
    expect((await api.call(mary, 'POST /refuse')).statusCode).toBe(403)
    expect((await api.call(mary, 'POST /work')).statusCode).toBe(201)
    expect(await intents()).toEqual([])
    expect((await api.call(mary, 'POST /fail')).statusCode).toBe(500)
    expect(await intents()).toHaveLength(1)
    expect(seen).toEqual([1, 1, 1])
    expect((await listAuditEvents(database, {}, PAGE)).rows).toMatchObject([
      { details: { operation: 'POST /work' } },
    ])
  })
})

describeOnDatabase('The audit trail', (openDatabase) => {
  async function open() {
    const { database } = await openDatabase()
    const api = openApp(database, auditEventOperations({ database }))
    const root = await addPerson(database, 'root', { admin: true })
    const at = Date.parse('2024-01-01T00:00:00Z')
    for (const [index, entity_type] of (['User', 'Group', 'Project', 'Project'] as const).entries()) {
      const event = { author_id: root.id, entity_type, entity_id: index, details: { add: 'x' } }
      await insertAuditEvent(database, event)
      await database
        .updateTable('audit_event')
        .set({ created_at: at + index * 1000 })
        .where('entity_id', '=', index)
        .execute()
    }
    const list = async (query: string): Promise<unknown> => {
      const response = await api.call(root, `GET /audit_events${query}`)
      const body = response.json<Event[] | { error: string }>()
      return Array.isArray(body) ? body.map(({ entity_id }) => entity_id) : body
    }
    return { api, root, database, list }
  }

  test.each([
    ['', [3, 2, 1, 0]],
    ['?entity_type=Project', [3, 2]],
    ['?entity_type=Project&entity_id=2', [2]],
    ['?created_after=2024-01-01T00:00:02Z', [3, 2]],
    ['?author_id=1', [3, 2, 1, 0]],
    ['?author_id=99', []],
    ['?created_before=2024-01-01T00:00:01Z', [1, 0]],
    ['?pagination=keyset&per_page=2', [3, 2]],
    ['?entity_id=2', { error: 'entity_type is missing' }],
    ['?entity_type=Wiki', { error: 'entity_type does not have a valid value' }],
  ])('lists %s', async (query, expected) => {
    const { list } = await open()
    expect(await list(query)).toEqual(expected)
  })

  test('shows one event, and is for administrators', async () => {
    const { api, root, database } = await open()
    const [{ id } = { id: 0 }] = (await api.call(root, 'GET /audit_events')).json<Event[]>()
    expect((await api.call(root, `GET /audit_events/${id}`)).json()).toEqual({
      id,
      author_id: root.id,
      entity_type: 'Project',
      entity_id: 3,
      details: { add: 'x' },
      created_at: '2024-01-01T00:00:03.000Z',
    })
    expect((await api.call(root, 'GET /audit_events/99999')).statusCode).toBe(404)
    const mary = await addPerson(database, 'mary')
    expect((await api.call(mary, 'GET /audit_events')).statusCode).toBe(403)
    expect((await api.call(undefined, 'GET /audit_events')).statusCode).toBe(401)
  })

  test('is kept for as long as it should be', async () => {
    const { database, list } = await open()
    expect(await deleteAuditEventsBefore(database, Date.parse('2024-01-01T00:00:02Z'))).toBe(2)
    expect(await list('')).toEqual([3, 2])
  })
})
