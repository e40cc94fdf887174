import { expect, test } from 'vitest'

import { describeOnDatabase, describeOnEachDatabase } from '../../../support/databases.js'
import { testAtNight } from '../../../support/nightly.js'
import { addMember, addProject, type PeopleApi, peopleApiForFile } from '../../support/people-api.js'
import { addPerson, EXTERNAL_URL, type Person } from '../../support/test-app.js'

const openPeopleApi = peopleApiForFile()

interface Group {
  id: number
  full_path: string
}

async function addGroup(api: PeopleApi, as: Person, path: string, parent_id?: number): Promise<Group> {
  const made = await api.call(as, 'POST /groups', { name: path, path, ...(parent_id && { parent_id }) })
  expect(made.statusCode).toBe(201)
  return made.json<Group>()
}

/** Status and where it leads, without the part that is always the same. */
async function led(api: PeopleApi, as: Person | undefined, route: string): Promise<unknown[]> {
  const { statusCode, headers } = await api.call(as, route)
  const { location } = headers
  return [statusCode, ...(location === undefined ? [] : [location.slice(`${EXTERNAL_URL}/api/v4`.length)])]
}

describeOnDatabase('the path that something has left', (open) => {
  test('resolves to the project ID for users who can see it', async () => {
    const api = await openPeopleApi(open)
    const mary = await addPerson(api.database, 'mary')
    const eve = await addPerson(api.database, 'eve')
    const { id } = await addProject(api, mary, { name: 'it' })
    await api.call(mary, `PUT /projects/${id}`, { path: 'that' })
    expect(await led(api, mary, 'GET /projects/mary%2Fit')).toEqual([301, `/projects/${id}`])
    expect(await led(api, mary, 'GET /projects/Mary%2fIT/members?per_page=2&query=a')).toEqual([
      301,
      `/projects/${id}/members?per_page=2&query=a`,
    ])
    const { body, headers } = await api.call(mary, 'GET /projects/mary%2Fit')
    expect(headers['content-type']).toMatch(/^text\/plain/)
    expect(body.trim()).toBe(
      `This resource has been moved permanently to ${EXTERNAL_URL}/api/v4/projects/${id}.`,
    )
    const change = await api.call(mary, 'PUT /projects/mary%2Fit', { description: 'x' })
    expect([change.statusCode, change.json()]).toEqual([
      405,
      { message: 'Non GET methods are not allowed for moved projects' },
    ])
    for (const stranger of [eve, undefined]) {
      expect(await led(api, stranger, 'GET /projects/mary%2Fit')).toEqual([404])
    }
    expect(await led(api, eve, 'DELETE /projects/mary%2Fit')).toEqual([404])
    await addMember(api, mary, id, eve, 20)
    expect(await led(api, eve, 'GET /projects/mary%2Fit')).toEqual([301, `/projects/${id}`])
    expect(await led(api, eve, 'DELETE /projects/mary%2Fit')).toEqual([403])
  })

  testAtNight(
    'is replaced by a project created, renamed or moved there, and deleted with its project',
    async () => {
      const api = await openPeopleApi(open)
      const mary = await addPerson(api.database, 'mary')
      const team = await addGroup(api, mary, 'team')
      const first = await addProject(api, mary, { name: 'it' })
      await api.call(mary, `PUT /projects/${first.id}`, { path: 'that', name: 'that' })
      const second = await addProject(api, mary, { name: 'it' })
      expect((await api.call(mary, 'GET /projects/mary%2Fit')).json()).toMatchObject({ id: second.id })
      await api.call(mary, `DELETE /projects/${second.id}`)
      expect(await led(api, mary, 'GET /projects/mary%2Fit')).toEqual([404])

      await api.call(mary, `PUT /projects/${first.id}`, { path: 'it' })
      expect(await led(api, mary, 'GET /projects/mary%2Fit')).toEqual([200])
      expect(await led(api, mary, 'GET /projects/mary%2Fthat')).toEqual([301, `/projects/${first.id}`])
      await api.call(mary, `PUT /projects/${first.id}/transfer`, { namespace: team.id })
      for (const old of ['mary%2Fthat', 'mary%2Fit']) {
        expect(await led(api, mary, `GET /projects/${old}`)).toEqual([301, `/projects/${first.id}`])
      }
      await api.call(mary, `DELETE /projects/${first.id}`)
      expect(await api.database.selectFrom('old_path').selectAll().execute()).toEqual([])
    },
  )

  testAtNight('leads into a group that was renamed or moved, and to all in it', async () => {
    const api = await openPeopleApi(open)
    const mary = await addPerson(api.database, 'mary')
    const outer = await addGroup(api, mary, 'outer')
    const inner = await addGroup(api, mary, 'inner', outer.id)
    const { id } = await addProject(api, mary, { name: 'it', namespace_id: inner.id })
    await api.call(mary, `PUT /groups/${outer.id}`, { path: 'other' })
    expect(await led(api, mary, 'GET /groups/outer')).toEqual([301, `/groups/${outer.id}`])
    expect(await led(api, mary, 'GET /groups/outer%2Finner/projects?simple=true')).toEqual([
      301,
      `/groups/${inner.id}/projects?simple=true`,
    ])
    expect(await led(api, mary, 'GET /projects/outer%2Finner%2Fit')).toEqual([301, `/projects/${id}`])
    expect((await api.call(mary, 'PUT /groups/outer', { name: 'x' })).statusCode).toBe(405)
    expect(await led(api, await addPerson(api.database, 'eve'), 'GET /groups/outer')).toEqual([404])

    await api.call(mary, `POST /groups/${inner.id}/transfer`)
    for (const old of ['outer%2Finner%2Fit', 'other%2Finner%2Fit']) {
      expect(await led(api, mary, `GET /projects/${old}`)).toEqual([301, `/projects/${id}`])
    }
    await api.call(mary, `POST /groups/${inner.id}/transfer`, { group_id: outer.id })
    expect(await led(api, mary, 'GET /projects/other%2Finner%2Fit')).toEqual([200])
    expect(await led(api, mary, 'GET /projects/inner%2Fit')).toEqual([301, `/projects/${id}`])
    await addGroup(api, mary, 'outer')
    expect(await led(api, mary, 'GET /groups/outer')).toEqual([200])
    await api.call(mary, `DELETE /groups/${outer.id}`)
    await expect.poll(() => api.database.selectFrom('old_path').selectAll().execute()).toEqual([])
  })

  testAtNight('resolves to the projects of a renamed user until another user takes the name', async () => {
    const api = await openPeopleApi(open)
    const mary = await addPerson(api.database, 'mary')
    const { id } = await addProject(api, mary, { name: 'it' })
    await api.call(api.root, `PUT /users/${mary.id}`, { username: 'maria', email: 'maria@example.com' })
    expect(await led(api, mary, 'GET /projects/mary%2Fit')).toEqual([301, `/projects/${id}`])
    const other = await addPerson(api.database, 'mary')
    await addProject(api, other, { name: 'it' })
    expect(await led(api, mary, 'GET /projects/mary%2Fit')).toEqual([404])
    expect(await led(api, other, 'GET /projects/mary%2Fit')).toEqual([200])
  })
})

describeOnEachDatabase('a path in a group', (open) => {
  testAtNight('is that of one project or of one group', async () => {
    const api = await openPeopleApi(open)
    const mary = await addPerson(api.database, 'mary')
    const { id: parent_id } = await addGroup(api, mary, 'team')
    const ask = async (route: string, body: object) => {
      const { statusCode, body: response } = await api.call(mary, route, body)
      return [statusCode, response.includes('already') ? 'taken' : response]
    }
    const taken = [400, 'taken']
    await addProject(api, mary, { name: 'one', namespace_id: parent_id })
    const sub = await addGroup(api, mary, 'two', parent_id)
    expect(await ask('POST /groups', { name: 'x', path: 'ONE', parent_id })).toEqual(taken)
    expect(await ask('POST /projects', { name: 'Two', namespace_id: parent_id })).toEqual(taken)
    expect(await ask(`PUT /groups/${sub.id}`, { path: 'one' })).toEqual(taken)
    const other = await addProject(api, mary, { name: 'two' })
    expect(await ask(`PUT /projects/${other.id}/transfer`, { namespace: 'team' })).toEqual(taken)
    expect(await ask(`POST /projects/${other.id}/fork`, { namespace_id: parent_id })).toEqual([409, 'taken'])
    const top = await addGroup(api, mary, 'one')
    expect(await ask(`POST /groups/${top.id}/transfer`, { group_id: parent_id })).toEqual(taken)
  })

  test('is given to one of a project and a group that come at the same time', async () => {
    const api = await openPeopleApi(open)
    const { id } = await addGroup(api, api.root, 'team')
    const responses = await Promise.all([
      ...[1, 2].map(() => api.call(api.root, 'POST /groups', { name: 'x', path: 'x', parent_id: id })),
      ...[1, 2].map(() => api.call(api.root, 'POST /projects', { name: 'x', namespace_id: id })),
    ])
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([201, 400, 400, 400])
  })
})
