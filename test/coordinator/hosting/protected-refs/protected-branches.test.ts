import { expect, test } from 'vitest'

import { addProject, openPeopleApi } from '../../support/people-api.js'

async function openWithProject() {
  const api = await openPeopleApi()
  const { id } = await addProject(api, api.root, { name: 'it' })
  return { api, path: `/projects/${id}/protected_branches`, tags: `/projects/${id}/protected_tags` }
}

test('a branch is protected for maintainers unless said otherwise', async () => {
  const { api, path } = await openWithProject()
  const made = await api.call(api.root, `POST ${path}`, { name: 'main' })
  expect(made.statusCode).toBe(201)
  expect(made.json()).toMatchObject({
    name: 'main',
    push_access_levels: [{ access_level: 40, access_level_description: 'Maintainers' }],
    merge_access_levels: [{ access_level: 40 }],
    allow_force_push: false,
  })
})

test('parameters may come in the query, and names hold slashes and wildcards', async () => {
  const { api, path } = await openWithProject()
  const made = await api.call(api.root, `POST ${path}?name=release%2F*&push_access_level=0`, {})
  expect(made.json()).toMatchObject({ name: 'release/*', push_access_levels: [{ access_level: 0 }] })
  expect((await api.call(api.root, `GET ${path}/release%2F*`)).statusCode).toBe(200)
  const changed = await api.call(api.root, `PATCH ${path}/release%2F*`, { allow_force_push: true })
  expect(changed.json()).toMatchObject({ allow_force_push: true, push_access_levels: [{ access_level: 0 }] })
  expect((await api.call(api.root, `DELETE ${path}/release%2F*`)).statusCode).toBe(204)
  expect((await api.call(api.root, `DELETE ${path}/release%2F*`)).statusCode).toBe(404)
})

test('a rule exists once, and its levels are known ones', async () => {
  const { api, path } = await openWithProject()
  await api.call(api.root, `POST ${path}`, { name: 'main' })
  const again = await api.call(api.root, `POST ${path}`, { name: 'main' })
  expect(again.statusCode).toBe(409)
  expect(again.json()).toEqual({ message: "Protected branch 'main' already exists" })
  expect((await api.call(api.root, `POST ${path}`, { name: 'x', push_access_level: 35 })).statusCode).toBe(
    422,
  )
})

test('tags have rules of their own', async () => {
  const { api, path, tags } = await openWithProject()
  const made = await api.call(api.root, `POST ${tags}`, { name: 'v*', create_access_level: 30 })
  expect(made.json()).toMatchObject({ name: 'v*', create_access_levels: [{ access_level: 30 }] })
  expect((await api.call(api.root, `GET ${tags}`)).json()).toHaveLength(1)
  expect((await api.call(api.root, `GET ${path}`)).json()).toEqual([])
  expect((await api.call(api.root, `DELETE ${tags}/v*`)).statusCode).toBe(204)
})
