import { expect, test } from 'vitest'

import { may } from '../../../src/coordinator/access/access.js'
import { giverNow } from '../../../src/coordinator/intentions/giver.js'
import { addMember, addProject, type PeopleApi, peopleApiForFile } from '../support/people-api.js'
import { addPerson, type Person } from '../support/test-app.js'

const openPeopleApi = peopleApiForFile()

async function addGroup(api: PeopleApi, path: string, parent_id?: number): Promise<number> {
  const created = await api.call(api.root, 'POST /groups', { name: path, path, parent_id })
  return created.json<{ id: number }>().id
}

async function openScene() {
  const api = await openPeopleApi()
  const max = await addPerson(api.database, 'max')
  return {
    ...api,
    api,
    max,
    ok: async (route: string, body?: object) =>
      expect((await api.call(api.root, route, body)).statusCode).toBeLessThan(300),
    giver: (projectId: number, more: object = {}) =>
      giverNow(api.database, { userId: max.id, projectId, ...more }),
    join: (group: number, who: Person, access_level: number) =>
      api.call(api.root, `POST /groups/${group}/members`, { user_id: who.id, access_level }),
  }
}

test('a user acts with the level that he has now, by himself or by a group', async () => {
  const { api, root, max, giver, ok, database } = await openScene()
  const { id } = await addProject(api, root, { name: 'app' })
  expect(await giver(id)).toMatchObject({ accessLevel: 0 })
  await addMember(api, root, id, max, 40)
  expect(await giver(id)).toMatchObject({ accessLevel: 40, membership: 40, user: { username: 'max' } })
  await ok(`PUT /projects/${id}/members/${max.id}`, { access_level: 20 })
  expect(await giver(id)).toMatchObject({ accessLevel: 20 })
  await database.updateTable('member').set({ expires_at: 1 }).where('user_id', '=', max.id).execute()
  expect(await giver(id)).toMatchObject({ accessLevel: 0 })
})

test.each(['blocked', 'deactivated', 'banned'] as const)(
  'nobody acts for a user who is %s',
  async (state) => {
    const { api, root, max, giver, database } = await openScene()
    const { id } = await addProject(api, root, { name: 'app' })
    await addMember(api, root, id, max, 40)
    await database.updateTable('user').set({ state }).where('id', '=', max.id).execute()
    expect(await giver(id)).toBeUndefined()
  },
)

test('a user acts neither in a project that is read-only, unless that is allowed, nor in one that is being deleted', async () => {
  const { api, root, max, giver, ok, database } = await openScene()
  const { id } = await addProject(api, root, { name: 'app' })
  await addMember(api, root, id, max, 40)
  await ok(`POST /projects/${id}/archive`)
  expect(await giver(id)).toBeUndefined()
  expect(await giver(id, { isReadOnlyAllowed: true })).toMatchObject({ accessLevel: 40 })
  await database.updateTable('project').set({ deletion_started_at: 1 }).where('id', '=', id).execute()
  expect(await giver(id, { isReadOnlyAllowed: true })).toBeUndefined()
  expect(await giver(99)).toBeUndefined()
})

test('a member of the group that a project has left, or of a group above one that was moved, has no level there', async () => {
  const { api, root, max, giver, join, ok } = await openScene()
  const [crew, other] = [await addGroup(api, 'crew'), await addGroup(api, 'other')]
  const inner = await addGroup(api, 'inner', crew)
  await join(crew, max, 50)
  const { id: moved } = await addProject(api, root, { name: 'moved', namespace_id: crew })
  const { id: within } = await addProject(api, root, { name: 'within', namespace_id: inner })
  const mayDelete = async (id: number) => {
    const found = await giver(id)
    return found !== undefined && may('remove_project', found)
  }
  expect([await mayDelete(moved), await mayDelete(within)]).toEqual([true, true])
  await ok(`PUT /projects/${moved}/transfer`, { namespace: other })
  expect([await mayDelete(moved), await mayDelete(within)]).toEqual([false, true])
  await ok(`POST /groups/${inner}/transfer`, { group_id: other })
  expect([await mayDelete(moved), await mayDelete(within)]).toEqual([false, false])
})
