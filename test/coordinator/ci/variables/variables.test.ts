import { expect, test } from 'vitest'

import { openForFile } from '../../../support/lifetime.js'
import { addProject, openPeopleApi } from '../../support/people-api.js'
import { addPerson } from '../../support/test-app.js'

async function openWithProject() {
  const api = await openPeopleApi()
  const { id } = await addProject(api, api.root, { name: 'it' })
  return { api, path: `/projects/${id}/variables` }
}

test('a variable is made, read, changed and removed', async () => {
  const { api, path } = await openWithProject()
  const made = await api.call(api.root, `POST ${path}`, { key: 'KEY', value: 'plain text' })
  expect(made.statusCode).toBe(201)
  expect(made.json()).toEqual({
    key: 'KEY',
    value: 'plain text',
    variable_type: 'env_var',
    protected: false,
    masked: false,
    hidden: false,
    raw: false,
    environment_scope: '*',
    description: null,
  })
  const changed = await api.call(api.root, `PUT ${path}/KEY`, {
    value: 'maskable-1',
    masked: true,
    protected: true,
  })
  expect(changed.json()).toMatchObject({ value: 'maskable-1', masked: true, protected: true })
  expect((await api.call(api.root, `GET ${path}`)).json()).toHaveLength(1)
  expect((await api.call(api.root, `DELETE ${path}/KEY`)).statusCode).toBe(204)
  expect((await api.call(api.root, `GET ${path}/KEY`)).json()).toEqual({ message: '404 Variable Not Found' })
})

test('the store contains no plain-text value', async () => {
  const { api, path } = await openWithProject()
  await api.call(api.root, `POST ${path}`, { key: 'KEY', value: 'a-secret-value' })
  const rows = await api.database.selectFrom('ci_variable').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain('a-secret-value')
})

test('the same key may exist in several environments, selected by a filter', async () => {
  const { api, path } = await openWithProject()
  for (const scope of ['*', 'prod']) {
    const params = { key: 'KEY', value: scope, environment_scope: scope }
    expect((await api.call(api.root, `POST ${path}`, params)).statusCode).toBe(201)
  }
  const again = await api.call(api.root, `POST ${path}`, { key: 'KEY', value: 'x' })
  expect(again.json()).toEqual({ message: { key: ['(KEY) has already been taken'] } })
  const unclear = await api.call(api.root, `GET ${path}/KEY`)
  expect(unclear.statusCode).toBe(409)
  const filtered = await api.call(api.root, `GET ${path}/KEY?filter[environment_scope]=prod`)
  expect(filtered.json()).toMatchObject({ value: 'prod' })
  const filter = { environment_scope: '*' }
  expect((await api.call(api.root, `DELETE ${path}/KEY`, { filter })).statusCode).toBe(204)
  expect((await api.call(api.root, `GET ${path}/KEY`)).json()).toMatchObject({ value: 'prod' })
})

const withoutVariables = openForFile(() => openWithProject())

test.each([
  [{ key: 'NOT-A-NAME', value: 'x' }, { message: { key: ["can contain only letters, digits and '_'."] } }],
  [{ key: 'K', value: 'short', masked: true }, { message: { value: ['is invalid'] } }],
  [{ key: 'K', value: 'two\nlines..', masked: true }, { message: { value: ['is invalid'] } }],
  [{ key: 'K', value: 'needs*raw*', masked: true }, { message: { value: ['is invalid'] } }],
  [{ key: 'K', value: 'short', masked_and_hidden: true }, { message: { value: ['is invalid'] } }],
  [{ key: 'K' }, { error: 'value is missing' }],
  [{ key: 'K', value: 'x', variable_type: 'other' }, { error: 'variable_type does not have a valid value' }],
])('%j is refused', async (params, body) => {
  const { api, path } = withoutVariables()
  const response = await api.call(api.root, `POST ${path}`, params)
  expect(response.statusCode).toBe(400)
  expect(response.json()).toEqual(body)
})

test('a raw value may hold what an expanded one may not', async () => {
  const { api, path } = await openWithProject()
  const params = { key: 'K', value: 'needs*raw*', masked: true, raw: true }
  expect((await api.call(api.root, `POST ${path}`, params)).statusCode).toBe(201)
})

test('masking a value that cannot be masked is also refused on update', async () => {
  const { api, path } = await openWithProject()
  await api.call(api.root, `POST ${path}`, { key: 'K', value: 'short' })
  expect((await api.call(api.root, `PUT ${path}/K`, { masked: true })).statusCode).toBe(400)
})

test('a hidden value is masked and never shown again', async () => {
  const { api, path } = await openWithProject()
  const params = { key: 'K', value: 'long-enough', masked_and_hidden: true }
  const made = await api.call(api.root, `POST ${path}`, params)
  expect(made.json()).toMatchObject({ value: null, masked: true, hidden: true })
  const changed = await api.call(api.root, `PUT ${path}/K`, { value: 'another-value' })
  expect(changed.json()).toMatchObject({ value: null, masked: true, hidden: true })
  expect((await api.call(api.root, `GET ${path}`)).json()).toMatchObject([{ value: null }])
  expect((await api.call(api.root, `PUT ${path}/K`, { masked: false })).statusCode).toBe(400)
})

test('a group has variables with environment scopes', async () => {
  const { api } = await openWithProject()
  await api.call(api.root, 'POST /groups', { name: 'Top', path: 'top' })
  const path = '/groups/top/variables'
  const params = { key: 'K', value: 'v', environment_scope: 'prod' }
  expect((await api.call(api.root, `POST ${path}`, params)).json()).toMatchObject(params)
  expect((await api.call(api.root, `POST ${path}`, { key: 'K', value: 'w' })).statusCode).toBe(201)
  expect((await api.call(api.root, `GET ${path}/K`)).statusCode).toBe(409)
  const filtered = `${path}/K?filter[environment_scope]=prod`
  expect((await api.call(api.root, `PUT ${filtered}`, { value: 'x' })).json()).toMatchObject({ value: 'x' })
  expect((await api.call(api.root, `DELETE ${filtered}`)).statusCode).toBe(204)
  expect((await api.call(api.root, `GET ${path}`)).json()).toMatchObject([{ value: 'w' }])
})

test('only the owner of a group, or of one above, has its variables', async () => {
  const { api } = await openWithProject()
  const owner = await addPerson(api.database, 'olga')
  const stranger = await addPerson(api.database, 'sam')
  const top = await api.call(owner, 'POST /groups', { name: 'Top', path: 'top', visibility: 'public' })
  const inTop = { name: 'Sub', path: 'sub', parent_id: top.json<{ id: number }>().id }
  await api.call(owner, 'POST /groups', inTop)
  await api.database
    .updateTable('namespace')
    .set({ owner_id: api.root.id })
    .where('path', '=', 'sub')
    .execute()
  const statuses = async (path: string) => {
    const callers = [owner, api.root, stranger, undefined]
    const responses = await Promise.all(callers.map((caller) => api.call(caller, `GET ${path}`)))
    return responses.map(({ statusCode }) => statusCode)
  }
  expect(await statuses('/groups/top/variables')).toEqual([200, 200, 403, 401])
  await api.database.updateTable('namespace').set({ visibility: 'public' }).execute()
  expect(await statuses('/groups/top%2Fsub/variables')).toEqual([200, 200, 403, 401])
  expect(await statuses('/groups/none/variables')).toEqual([404, 404, 404, 401])
  expect(await statuses('/admin/ci/variables')).toEqual([403, 200, 403, 401])
})

test('the instance has variables for every environment, 25 at most', async () => {
  const { api } = await openWithProject()
  const path = '/admin/ci/variables'
  const made = await api.call(api.root, `POST ${path}`, { key: 'K0', value: 'v', environment_scope: 'prod' })
  expect(made.json()).toEqual({
    key: 'K0',
    value: 'v',
    variable_type: 'env_var',
    protected: false,
    masked: false,
    hidden: false,
    raw: false,
    description: null,
  })
  const again = await api.call(api.root, `POST ${path}`, { key: 'K0', value: 'v' })
  expect(again.json()).toEqual({ message: { key: ['(K0) has already been taken'] } })
  const changed = await api.call(api.root, `PUT ${path}/K0`, { value: 'w', environment_scope: 'prod' })
  expect(changed.json()).toMatchObject({ value: 'w' })
  for (let index = 1; index < 25; index++) {
    await api.call(api.root, `POST ${path}`, { key: `K${index}`, value: 'v' })
  }
  const tooMany = await api.call(api.root, `POST ${path}`, { key: 'K25', value: 'v' })
  expect(tooMany.statusCode).toBe(400)
  expect(tooMany.json()).toEqual({
    message: { base: ['Maximum number of CI variables of one instance (25) exceeded'] },
  })
  expect((await api.call(api.root, `DELETE ${path}/K0`)).statusCode).toBe(204)
})
