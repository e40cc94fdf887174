import { expect, test } from 'vitest'

import { addProject, openPeopleApi } from '../../support/people-api.js'
import { addPerson } from '../../support/test-app.js'

test('administrators note attributes of users, projects and groups, and find projects by them', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  const group = (await api.call(api.root, 'POST /groups', { name: 'Team', path: 'team' })).json<{
    id: number
  }>()
  const project = await addProject(api, api.root, { name: 'it', visibility: 'public' })
  for (const place of [`/users/${mary.id}`, `/projects/${project.id}`, `/groups/${group.id}`]) {
    const path = `${place}/custom_attributes`
    const set = await api.call(api.root, `PUT ${path}/cost`, { value: '1' })
    expect([set.statusCode, set.json()]).toEqual([200, { key: 'cost', value: '1' }])
    await api.call(api.root, `PUT ${path}/cost`, { value: '2' })
    expect((await api.call(api.root, `GET ${path}`)).json()).toEqual([{ key: 'cost', value: '2' }])
    expect((await api.call(api.root, `GET ${path}/cost`)).json()).toEqual({ key: 'cost', value: '2' })
    expect((await api.call(api.root, `GET ${path}/none`)).statusCode).toBe(404)
    expect((await api.call(mary, `GET ${path}`)).statusCode).toBe(403)
  }
  const found = async (value: string, as = api.root) =>
    (await api.call(as, `GET /projects?custom_attributes[cost]=${value}&with_custom_attributes=true`)).json<
      object[]
    >()
  expect(await found('2')).toMatchObject([
    { id: project.id, custom_attributes: [{ key: 'cost', value: '2' }] },
  ])
  expect(await found('1')).toEqual([])
  // For others there is neither the filter nor the field.
  const [seen] = await found('1', mary)
  expect(seen).toMatchObject({ id: project.id })
  expect(seen).not.toHaveProperty('custom_attributes')
  const gone = await api.call(api.root, `DELETE /projects/${project.id}/custom_attributes/cost`)
  expect(gone.statusCode).toBe(204)
})
