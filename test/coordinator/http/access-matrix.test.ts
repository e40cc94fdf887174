import { expect, test } from 'vitest'

import { addMember, addProject, openPeopleApi } from '../support/people-api.js'
import { addPerson, type Person } from '../support/test-app.js'

const CALLERS = [
  'anonymous',
  'stranger',
  'guest',
  'reporter',
  'developer',
  'maintainer',
  'owner',
  'admin',
] as const

/** Statuses by caller, in the order of `CALLERS`. */
type Row = [
  route: string,
  body: object | undefined,
  statuses: Record<'private' | 'internal' | 'public', number[]>,
]

const OK = [200, 200, 200, 200, 200, 200, 200, 200]

const rows: Row[] = [
  [
    'GET /projects/:id',
    undefined,
    {
      private: [404, 404, 200, 200, 200, 200, 200, 200],
      internal: [404, 200, 200, 200, 200, 200, 200, 200],
      public: OK,
    },
  ],
  [
    'GET /projects/:id/members',
    undefined,
    {
      private: [404, 404, 200, 200, 200, 200, 200, 200],
      internal: [404, 200, 200, 200, 200, 200, 200, 200],
      public: OK,
    },
  ],
  [
    'GET /projects/:id/variables',
    undefined,
    {
      private: [401, 404, 403, 403, 403, 200, 200, 200],
      internal: [401, 403, 403, 403, 403, 200, 200, 200],
      public: [401, 403, 403, 403, 403, 200, 200, 200],
    },
  ],
  [
    'GET /projects/:id/protected_branches',
    undefined,
    {
      private: [401, 404, 403, 403, 403, 200, 200, 200],
      internal: [401, 403, 403, 403, 403, 200, 200, 200],
      public: [401, 403, 403, 403, 403, 200, 200, 200],
    },
  ],
  [
    'PUT /projects/:id',
    { description: 'new' },
    {
      private: [401, 404, 403, 403, 403, 200, 200, 200],
      internal: [401, 403, 403, 403, 403, 200, 200, 200],
      public: [401, 403, 403, 403, 403, 200, 200, 200],
    },
  ],
  [
    'PUT /projects/:id/members/0',
    { access_level: 30 },
    {
      private: [401, 404, 403, 403, 403, 404, 404, 404],
      internal: [401, 403, 403, 403, 403, 404, 404, 404],
      public: [401, 403, 403, 403, 403, 404, 404, 404],
    },
  ],
  [
    'DELETE /projects/:id/variables/NONE',
    undefined,
    {
      private: [401, 404, 403, 403, 403, 404, 404, 404],
      internal: [401, 403, 403, 403, 403, 404, 404, 404],
      public: [401, 403, 403, 403, 403, 404, 404, 404],
    },
  ],
]

test('every operation requires its documented access level, at each visibility', async () => {
  const api = await openPeopleApi()
  const people: Record<(typeof CALLERS)[number], Person | undefined> = {
    anonymous: undefined,
    stranger: await addPerson(api.database, 'stranger'),
    guest: await addPerson(api.database, 'guest'),
    reporter: await addPerson(api.database, 'reporter'),
    developer: await addPerson(api.database, 'developer'),
    maintainer: await addPerson(api.database, 'maintainer'),
    owner: await addPerson(api.database, 'owner'),
    admin: api.root,
  }
  for (const visibility of ['private', 'internal', 'public'] as const) {
    const { id } = await addProject(api, people.owner ?? api.root, { name: visibility, visibility })
    const levels = { guest: 10, reporter: 20, developer: 30, maintainer: 40 }
    for (const [name, level] of Object.entries(levels)) {
      await addMember(api, api.root, id, people[name as keyof typeof levels] ?? api.root, level)
    }
    for (const [route, body, statuses] of rows) {
      const path = route.replace(':id', String(id))
      const found = []
      for (const caller of CALLERS) found.push((await api.call(people[caller], path, body)).statusCode)
      expect(found, `${route} of a ${visibility} project, for ${CALLERS.join(', ')}`).toEqual(
        statuses[visibility],
      )
    }
  }
})

test('only owners delete a project and change its visibility', async () => {
  const api = await openPeopleApi()
  const owner = await addPerson(api.database, 'owner')
  const maintainer = await addPerson(api.database, 'maintainer')
  const { id } = await addProject(api, owner, { name: 'it' })
  await addMember(api, owner, id, maintainer, 40)
  const changed = await api.call(maintainer, `PUT /projects/${id}`, { visibility: 'public' })
  expect(changed.statusCode).toBe(403)
  expect((await api.call(maintainer, `DELETE /projects/${id}`)).statusCode).toBe(403)
  expect((await api.call(owner, `PUT /projects/${id}`, { visibility: 'public' })).statusCode).toBe(200)
  expect((await api.call(owner, `DELETE /projects/${id}`)).statusCode).toBe(202)
})

test('a project that does not exist looks like one that is hidden', async () => {
  const api = await openPeopleApi()
  const stranger = await addPerson(api.database, 'stranger')
  const { id } = await addProject(api, api.root, { name: 'hidden' })
  for (const caller of [undefined, stranger]) {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const hidden = await api.call(caller, `${method} /projects/${id}`, method === 'GET' ? undefined : {})
      const missing = await api.call(caller, `${method} /projects/999`, method === 'GET' ? undefined : {})
      expect([hidden.statusCode, hidden.body]).toEqual([missing.statusCode, missing.body])
    }
  }
})

test('a membership ends on its expiry date', async () => {
  const api = await openPeopleApi()
  const guest = await addPerson(api.database, 'guest')
  const { id } = await addProject(api, api.root, { name: 'it' })
  await addMember(api, api.root, id, guest, 30)
  expect((await api.call(guest, `GET /projects/${id}`)).statusCode).toBe(200)
  await api.database
    .updateTable('member')
    .set({ expires_at: Date.now() - 1 })
    .where('user_id', '=', guest.id)
    .execute()
  expect((await api.call(guest, `GET /projects/${id}`)).statusCode).toBe(404)
})
