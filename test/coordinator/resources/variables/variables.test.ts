import { expect, test } from 'vitest'

import { addProject, openPeopleApi } from '../../support/people-api.js'

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

test('the store holds no value that can be read', async () => {
  const { api, path } = await openWithProject()
  await api.call(api.root, `POST ${path}`, { key: 'KEY', value: 'a-secret-value' })
  const rows = await api.database.selectFrom('ci_variable').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain('a-secret-value')
})

test('the same key may have several environments, which a filter tells apart', async () => {
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

test.each([
  [{ key: 'NOT-A-NAME', value: 'x' }, { message: { key: ["can contain only letters, digits and '_'."] } }],
  [{ key: 'K', value: 'short', masked: true }, { message: { value: ['is invalid'] } }],
  [{ key: 'K', value: 'two\nlines..', masked: true }, { message: { value: ['is invalid'] } }],
  [{ key: 'K', value: 'needs*raw*', masked: true }, { message: { value: ['is invalid'] } }],
  [{ key: 'K' }, { error: 'value is missing' }],
  [{ key: 'K', value: 'x', variable_type: 'other' }, { error: 'variable_type does not have a valid value' }],
])('%j is refused', async (params, body) => {
  const { api, path } = await openWithProject()
  const response = await api.call(api.root, `POST ${path}`, params)
  expect(response.statusCode).toBe(400)
  expect(response.json()).toEqual(body)
})

test('a raw value may hold what an expanded one may not', async () => {
  const { api, path } = await openWithProject()
  const params = { key: 'K', value: 'needs*raw*', masked: true, raw: true }
  expect((await api.call(api.root, `POST ${path}`, params)).statusCode).toBe(201)
})

test('masking what cannot be masked is refused on a change as well', async () => {
  const { api, path } = await openWithProject()
  await api.call(api.root, `POST ${path}`, { key: 'K', value: 'short' })
  expect((await api.call(api.root, `PUT ${path}/K`, { masked: true })).statusCode).toBe(400)
})
