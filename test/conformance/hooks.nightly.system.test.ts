import { expect, test } from 'vitest'

import { HookReceiver } from '../coordinator/ci/signals/hook-receiver.js'
import { openForFile } from '../support/lifetime.js'
import { runPython } from './support/python.js'
import { type Person, refusalOf, Service } from './support/service.js'

const RECORD = { id: expect.any(Number) as number, push_events: true, alert_status: 'executable' }

const opened = openForFile(() => Service.start())

test('python-gitlab makes, lists, changes and deletes hooks, and understands what is refused', async () => {
  const service = opened()
  const ann = await service.addPerson('ann')
  const eve = await service.addPerson('eve')
  const { id } = await service.json<{ id: number }>('POST', '/projects', { name: 'app' }, ann)
  const result = await runPython('hooks.py', {
    url: service.url,
    token: ann.token,
    other: eve.token,
    root: service.root.token,
    project: id,
  })
  const refused = (kind: string, status: number, message: string) => ({ kind, status, message })
  expect(result).toMatchObject({
    made: { ...RECORD, url: 'https://example.com/0', project_id: id, tag_push_events: true },
    changed: { ...RECORD, url: 'https://example.com/changed', job_events: true, tag_push_events: true },
    pages: true,
    left: 2,
    gone: refused('GitlabGetError', 404, '404 Not found'),
    wrong_url: refused('GitlabCreateError', 422, 'Invalid url given'),
    local_url: refused('GitlabCreateError', 422, 'Url is blocked: Requests to localhost are not allowed'),
    wrong_filter: refused('GitlabCreateError', 422, 'Invalid branch filter given'),
    system: {
      made: { url: 'https://example.com/system', repository_update_events: true },
      listed: ['https://example.com/system'],
      left: 0,
    },
    not_admin: refused('GitlabListError', 403, '403 Forbidden'),
    not_mine: { status: 404, message: '404 Project Not Found' },
  })
  expect(JSON.stringify(result)).not.toContain('secret')
})

test('@gitbeaker/rest makes, lists, changes and deletes hooks', async () => {
  const service = opened()
  const { gitbeaker, ...bob } = await service.addPerson('bob')
  const { id } = await service.json<{ id: number }>(
    'POST',
    '/projects',
    { name: 'app' },
    { ...bob, gitbeaker },
  )
  const hook = await gitbeaker.ProjectHooks.add(id, 'https://example.com/', {
    pushEvents: true,
    pushEventsBranchFilter: 'release/*',
    token: 'secret',
    enableSslVerification: false,
  })
  expect(hook).toMatchObject({
    ...RECORD,
    push_events_branch_filter: 'release/*',
    enable_ssl_verification: false,
  })
  for (let more = 0; more < 2; more++) await gitbeaker.ProjectHooks.add(id, 'https://example.com/')
  expect(await gitbeaker.ProjectHooks.all(id, { perPage: 2 })).toHaveLength(3)
  const edited = await gitbeaker.ProjectHooks.edit(id, hook.id, 'https://example.com/x', {
    wikiPageEvents: true,
  })
  expect(edited).toMatchObject({ url: 'https://example.com/x', wiki_page_events: true, push_events: true })
  expect(await gitbeaker.ProjectHooks.show(id, hook.id)).toEqual(edited)
  await gitbeaker.ProjectHooks.remove(id, hook.id)
  expect(await refusalOf(gitbeaker.ProjectHooks.show(id, hook.id))).toEqual({
    status: 404,
    description: '404 Not found',
  })
  const { SystemHooks } = service.root.gitbeaker
  const system = await SystemHooks.create('https://example.com/system', { pushEvents: true })
  expect(await SystemHooks.all()).toMatchObject([{ id: system.id, push_events: true }])
  await SystemHooks.remove(system.id)
  expect(await SystemHooks.all()).toEqual([])
  expect(await refusalOf(gitbeaker.ProjectHooks.add(id, 'nothing'))).toEqual({
    status: 422,
    description: 'Invalid url given',
  })
})

interface Delivered {
  id: number
  trigger: string
  response_status: string
}

test('a hook is tried with what the project has, and what was sent is shown and sent again', async () => {
  const service = await Service.start({ SWITCHYARD_OUTBOUND_ALLOW_LOCAL_NETWORK: 'true' })
  const ann = await service.addPerson('ann')
  const receiver = await HookReceiver.start()
  const project = await service.addProject({ '.gitlab-ci.yml': 'build: { script: make }' }, ann)
  const add = (more: object) =>
    service.json<{ id: number }>('POST', `/projects/${project.id}/hooks`, { url: receiver.url, ...more }, ann)
  const { id } = await add({ token: 'secret' })
  const path = `/projects/${project.id}/hooks/${id}`
  const call = (route: string, as: Person = ann) => {
    const [method = '', rest = ''] = route.split(' ')
    return service.fetch(method, rest, { as })
  }
  const send = async (trigger: string) => {
    const response = await call(`POST ${path}/test/${trigger}`)
    return [response.status, await response.json()]
  }

  receiver.respond = (response) => response.writeHead(500).end('broken')
  expect(await send('push_events')).toEqual([201, { message: '201 Created' }])
  expect(await send('releases_events')).toEqual([422, { message: 'Ensure the project has releases.' }])
  expect(await send('everything')).toEqual([400, { error: 'trigger does not have a valid value' }])
  receiver.respond = (response) => response.end('thanks')
  expect(await send('pipeline_events')).toEqual([201, { message: '201 Created' }])
  expect(await send('job_events')).toEqual([
    429,
    { message: { error: 'This endpoint has been requested too many times. Try again later.' } },
  ])
  expect(receiver.received.map(({ body }) => body['object_kind'])).toEqual(['push', 'pipeline'])

  const log = await service.json<Delivered[]>('GET', `${path}/events`, undefined, ann)
  expect(log).toMatchObject([
    {
      trigger: 'pipeline_hooks',
      response_status: '200',
      response_body: 'thanks',
      request_data: { object_kind: 'pipeline' },
    },
    {
      trigger: 'push_hooks',
      response_status: '500',
      response_body: 'broken',
      url: receiver.url,
      request_headers: { 'X-Gitlab-Event': 'Push Hook', 'X-Gitlab-Token': '[REDACTED]' },
      execution_duration: expect.any(Number) as number,
    },
  ])
  const failures = await service.json<Delivered[]>(
    'GET',
    `${path}/events?status[]=server_failure`,
    undefined,
    ann,
  )
  expect(failures.map((entry) => entry.trigger)).toEqual(['push_hooks'])
  const again = await call(`POST ${path}/events/${log[1]?.id}/resend`)
  expect([again.status, await again.json()]).toEqual([201, { response_status: 200 }])
  expect(receiver.received.at(-1)?.text).toBe(receiver.received[0]?.text)

  // Nobody gets at it through a hook of their own.
  const other = await add({})
  const foreign = await call(`POST /projects/${project.id}/hooks/${other.id}/events/${log[1]?.id}/resend`)
  expect(foreign.status).toBe(404)
  const eve = await service.addPerson('eve')
  expect((await call(`GET ${path}/events`, eve)).status).toBe(404)
  expect(await (await call(`GET ${path}/events`)).text()).not.toContain('secret')
})
