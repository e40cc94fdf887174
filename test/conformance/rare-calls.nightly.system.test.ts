import { expect, test } from 'vitest'

import { GPG_KEY } from '../coordinator/accounts/users/example-keys.js'
import { HookReceiver } from '../coordinator/ci/signals/hook-receiver.js'
import { openForFile } from '../support/lifetime.js'
import { Service } from './support/service.js'

const opened = openForFile(() => Service.start({ SWITCHYARD_OUTBOUND_ALLOW_LOCAL_NETWORK: 'true' }))

/** What neither client has a call for. */
interface Numbered {
  id: number
}

test('an administrator keeps GPG keys of a user, who sees them and whose they stay', async () => {
  const service = opened()
  const ann = await service.addPerson('ann')
  const keys = `/users/${ann.id}/gpg_keys`
  const key = await service.json<Numbered>('POST', keys, { key: GPG_KEY.armored })
  expect(await service.json('GET', `/user/gpg_keys/${key.id}`, undefined, ann)).toMatchObject({ id: key.id })
  const revoked = await service.fetch('POST', `${keys}/${key.id}/revoke`, { as: service.root })
  expect(revoked.status).toBe(202)
  expect(await service.json('GET', '/user/gpg_keys', undefined, ann)).toEqual([])
})

test('a token of a group is shown, and replaced by one that may do the same', async () => {
  const service = opened()
  const group = await service.json<Numbered>('POST', '/groups', { name: 'Team', path: 'tokens' })
  const tokens = `/groups/${group.id}/access_tokens`
  const body = { name: 'bot', scopes: ['read_api'], access_level: 20, expires_at: '2999-01-01' }
  const first = await service.json<Numbered>('POST', tokens, body)
  expect(await service.json('GET', `${tokens}/${first.id}`)).toMatchObject({ name: 'bot', active: true })
  const next = await service.json<Numbered>('POST', `${tokens}/${first.id}/rotate`)
  expect(next).toMatchObject({ name: 'bot', scopes: ['read_api'], access_level: 20, active: true })
  expect(await service.json('GET', `${tokens}/${first.id}`)).toMatchObject({ revoked: true, active: false })
})

test('one event of the audit trail is found under what it was done to', async () => {
  const service = opened()
  const group = await service.json<Numbered>('POST', '/groups', { name: 'Team', path: 'audited' })
  const project = await service.addProject()
  for (const owner of [`/projects/${project.id}`, `/groups/${group.id}`]) {
    const [event] = await service.json<Numbered[]>('GET', `${owner}/audit_events`)
    expect(await service.json('GET', `${owner}/audit_events/${event?.id ?? 0}`)).toEqual(event)
  }
})

test('a badge is shown as it would be, before it is made', async () => {
  const service = opened()
  const group = await service.json<Numbered>('POST', '/groups', { name: 'Team', path: 'badges' })
  const project = await service.addProject()
  const link = encodeURIComponent('https://example.com/%{project_path}')
  const render = `badges/render?link_url=${link}&image_url=${encodeURIComponent('https://example.com/b.svg')}`
  expect(await service.json('GET', `/projects/${project.id}/${render}`)).toMatchObject({
    rendered_link_url: `https://example.com/${project.path}`,
    rendered_image_url: 'https://example.com/b.svg',
  })
  expect(await service.json('GET', `/groups/${group.id}/${render}`)).toMatchObject({
    rendered_image_url: 'https://example.com/b.svg',
  })
})

test('a tag gets the text of a release by the address of before', async () => {
  const service = opened()
  const project = await service.addProject()
  const tags = `/projects/${project.id}/repository/tags`
  await service.json('POST', tags, { tag_name: 'v1', ref: 'main' })
  const release = await service.json('POST', `${tags}/v1/release`, { description: 'First' })
  expect(release).toMatchObject({ tag_name: 'v1', description: 'First' })
})

test('parts of the address of a system hook are kept apart from it', async () => {
  const service = opened()
  const hook = await service.json<Numbered>('POST', '/hooks', { url: 'https://example.com/{path}' })
  const path = `/hooks/${hook.id}/url_variables/path`
  expect((await service.fetch('PUT', path, { body: { value: 'x' }, as: service.root })).status).toBe(200)
  expect(JSON.stringify(await service.json('GET', `/hooks/${hook.id}`))).not.toContain('"x"')
})

test('the address of an included file in the response returns its text', async () => {
  const service = opened()
  const project = await service.addProject({ 'ci/a b.yml': 'a: { script: x }\n' })
  const report = await service.json<{ includes: { raw: string }[] }>(
    ...(['POST', `/projects/${project.id}/ci/lint`] as const),
    { content: 'include: ci/a b.yml' },
  )
  const headers = { 'private-token': service.root.token }
  const response = await fetch(report.includes[0]?.raw ?? '', { headers })
  expect([response.status, await response.text()]).toEqual([200, 'a: { script: x }\n'])
})

test('a system hook is sent an event that did not happen, and says so when nobody responds', async () => {
  const service = opened()
  const receiver = await HookReceiver.start()
  const hook = await service.json<Numbered>('POST', '/hooks', { url: receiver.url, token: 'secret' })
  const response = await service.fetch('POST', `/hooks/${hook.id}`, { as: service.root })
  const sent = {
    event_name: 'project_create',
    name: 'Ruby',
    path: 'ruby',
    project_id: 1,
    owner_name: 'Someone',
    owner_email: 'example@example.com',
  }
  expect([response.status, await response.json()]).toEqual([201, sent])
  const [received] = await receiver.until(1)
  expect(received?.body).toEqual(sent)
  expect(received?.headers).toMatchObject({ 'x-gitlab-event': 'System Hook', 'x-gitlab-token': 'secret' })
  receiver.respond = (unserved) => unserved.destroy()
  const refused = await service.fetch('POST', `/hooks/${hook.id}`, { as: service.root })
  expect([refused.status, await refused.json()]).toEqual([422, { message: expect.any(String) as string }])
})
