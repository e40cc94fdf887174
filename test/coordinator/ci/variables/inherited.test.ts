import { expect, test } from 'vitest'

import { describeOnDatabase } from '../../../support/databases.js'
import { addProject, openPeopleApi } from '../../support/people-api.js'
import { addPerson } from '../../support/test-app.js'

describeOnDatabase('inherited variables', (open) => {
  test('have no value, and say where they come from and whether they are overridden', async () => {
    const api = await openPeopleApi({ open })
    const { root } = api
    const add = (path: string, variable: object) =>
      api.call(root, `POST ${path}`, { value: 'a-secret', ...variable })
    const group = async (path: string, more: object = {}) =>
      (await api.call(root, 'POST /groups', { name: path, path, ...more })).json<{ id: number }>().id
    const top = await group('top')
    const sub = await group('sub', { parent_id: top })
    const other = await group('other')
    const { id: project } = await addProject(api, root, { name: 'it', namespace_id: sub })
    await add('/admin/ci/variables', { key: 'PROXY' })
    await add(`/groups/${top}/variables`, { key: 'REGION', environment_scope: 'production' })
    await add(`/groups/${top}/variables`, { key: 'TOKEN', masked: true, description: 'Reads packages' })
    await add(`/groups/${sub}/variables`, { key: 'PROXY', protected: true })
    await add(`/groups/${other}/variables`, { key: 'OTHER' })
    await add(`/projects/${project}/variables`, { key: 'REGION' })
    await add(`/projects/${project}/variables`, { key: 'TOKEN', environment_scope: 'staging' })

    const list = await api.call(root, `GET /projects/${project}/inherited_variables`)
    expect(list.body).not.toContain('a-secret')
    const rows = list.json<{ key: string; group_full_path: string | null; overridden: boolean }[]>()
    expect(rows.map(({ key, group_full_path, overridden }) => [key, group_full_path, overridden])).toEqual([
      ['PROXY', null, false],
      ['REGION', 'top', true],
      ['TOKEN', 'top', false],
      ['PROXY', 'top/sub', false],
    ])
    expect(rows[2]).toEqual({
      key: 'TOKEN',
      variable_type: 'env_var',
      environment_scope: '*',
      protected: false,
      masked: true,
      hidden: false,
      raw: false,
      description: 'Reads packages',
      group_name: 'top',
      group_full_path: 'top',
      overridden: false,
    })
    const ofGroup = (await api.call(root, `GET /groups/${sub}/inherited_variables`)).json<{ key: string }[]>()
    expect(ofGroup.map(({ key }) => key)).toEqual(['PROXY', 'REGION', 'TOKEN'])
    const paged = await api.call(root, `GET /projects/${project}/inherited_variables?per_page=3`)
    expect([paged.json<object[]>().length, paged.headers['x-total']]).toEqual([3, '4'])
    const stranger = await addPerson(api.database, 'stranger')
    expect((await api.call(stranger, `GET /projects/${project}/inherited_variables`)).statusCode).toBe(404)
  })
})
