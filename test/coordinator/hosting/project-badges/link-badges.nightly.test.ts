import { expect, test } from 'vitest'

import { linkBadgeOperations } from '../../../../src/coordinator/hosting/project-badges/operations.js'
import { addProject, openPeopleApi, type PeopleApi } from '../../support/people-api.js'
import { openApp, type Person } from '../../support/test-app.js'

const LINK = 'https://ci.example/%{project_path}/%{default_branch}?id=%{project_id}&x=%{unknown}'
const IMAGE = 'https://img.example/%{project_title}.svg'

async function openBadges(): Promise<{
  api: PeopleApi
  call: (
    route: string,
    body?: object,
    as?: Person,
  ) => Promise<{ status: number; body: Record<string, unknown> }>
}> {
  const api = await openPeopleApi()
  const app = openApp(api.database, linkBadgeOperations(api))
  const call = async (route: string, body?: object, as = api.root) => {
    const response = await app.call(as, route, body)
    return {
      status: response.statusCode,
      body: response.body === '' ? {} : response.json<Record<string, unknown>>(),
    }
  }
  return { api, call }
}

test('badge placeholders are replaced by project values; unknown ones are kept', async () => {
  const { api, call } = await openBadges()
  const { id } = await addProject(api, api.root, { name: 'My app', path: 'app' })
  const added = await call(`POST /projects/${id}/badges`, { link_url: LINK, image_url: IMAGE, name: 'one' })
  expect(added).toMatchObject({
    status: 201,
    body: {
      name: 'one',
      link_url: LINK,
      image_url: IMAGE,
      kind: 'project',
      rendered_link_url: `https://ci.example/root/app/%{default_branch}?id=${id}&x=%{unknown}`,
      rendered_image_url: 'https://img.example/My%20app.svg',
    },
  })
  const badge = `/projects/${id}/badges/${String(added.body['id'])}`
  expect(await call(`PUT ${badge}`, { name: 'two' })).toMatchObject({ body: { name: 'two', link_url: LINK } })
  expect(await call(`GET /projects/${id}/badges?name=two`)).toMatchObject({ body: [{ name: 'two' }] })
  expect(await call(`GET /projects/${id}/badges?name=one`)).toMatchObject({ body: [] })
  expect((await call(`DELETE ${badge}`)).status).toBe(204)
  expect(await call(`GET ${badge}`)).toEqual({ status: 404, body: { message: '404 Badge Not Found' } })
})

test('group badges are shown for its projects and are changed in the group', async () => {
  const { api, call } = await openBadges()
  const group = (await api.call(api.root, 'POST /groups', { name: 'Team', path: 'team' })).json<{
    id: number
  }>()
  const { id } = await addProject(api, api.root, { name: 'it', namespace_id: group.id })
  const other = await addProject(api, api.root, { name: 'other' })
  const added = await call(`POST /groups/${group.id}/badges`, { link_url: LINK, image_url: IMAGE })
  const badgeId = String(added.body['id'])
  expect(await call(`GET /projects/${id}/badges`)).toMatchObject({
    body: [{ kind: 'group', name: null, group_full_path: 'team' }],
  })
  expect(await call(`GET /projects/${other.id}/badges`)).toMatchObject({ body: [] })
  expect((await call(`DELETE /projects/${id}/badges/${badgeId}`)).status).toBe(403)
  expect((await call(`DELETE /projects/${other.id}/badges/${badgeId}`)).status).toBe(404)
  expect((await call(`DELETE /groups/${group.id}/badges/${badgeId}`)).status).toBe(204)
})

test.each([
  ['javascript:alert(1)'],
  ['data:text/html,<script>alert(1)</script>'],
  ['%{project_path}'],
  ['//elsewhere'],
])('%s is no address of a badge', async (link_url) => {
  const { api, call } = await openBadges()
  const { id } = await addProject(api, api.root, { name: 'it' })
  const message = { link_url: ['is blocked: Only allowed schemes are http, https'] }
  expect(await call(`POST /projects/${id}/badges`, { link_url, image_url: IMAGE })).toEqual({
    status: 400,
    body: { message },
  })
})
