import type { ServerResponse } from 'node:http'

import { expect, test } from 'vitest'

import { closedKeys, issueKeys } from '../../../../src/coordinator/integrations/services/issue-keys.js'
import { describeOnDatabase, type OpenDatabase } from '../../../support/databases.js'
import { HookReceiver, type Received } from '../../ci/signals/hook-receiver.js'
import { type Body, openScene } from './scene.js'

const AUTHORIZATION = `Basic ${Buffer.from('bot:s3cret').toString('base64')}`

/** A tracker with comments and resolutions, as the REST API of Jira has them. */
function jiraServer(unknown: readonly string[] = []) {
  const comments = new Map<string, string[]>()
  const resolved = new Set<string>()
  return (response: ServerResponse, { method, path, body }: Received) => {
    const [, key = '', rest = ''] = /^\/rest\/api\/2\/issue\/([A-Z]+-\d+)(.*)$/.exec(path) ?? []
    response.setHeader('Content-Type', 'application/json')
    if (unknown.includes(key)) {
      response.statusCode = 404
      return response.end('{"errorMessages":["Issue Does Not Exist"]}')
    }
    const known = comments.get(key) ?? []
    if (method === 'GET' && rest === '?fields=comment') {
      return response.end(
        JSON.stringify({ fields: { comment: { comments: known.map((body) => ({ body })) } } }),
      )
    }
    if (method === 'GET' && rest === '?fields=resolution') {
      return response.end(
        JSON.stringify({ fields: { resolution: resolved.has(key) ? { name: 'Done' } : null } }),
      )
    }
    if (rest === '/comment') comments.set(key, [...known, String(body['body'])])
    if (rest === '/transitions') resolved.add(key)
    response.statusCode = rest === '/transitions' ? 204 : 201
    response.end()
  }
}

const isLink = ({ path }: Received) => path.endsWith('/remotelink')
/** Comments and transitions. */
const isPost = (received: Received) => received.method === 'POST' && !isLink(received)

async function openJira(settings: Body = {}, open?: OpenDatabase, unknown?: readonly string[]) {
  const scene = await openScene(open)
  const jira = await HookReceiver.start()
  jira.respond = jiraServer(unknown)
  const { ok, P } = scene
  await ok(`PUT ${P}/integrations/jira`, { url: jira.url, username: 'bot', password: 's3cret', ...settings })
  let files = 0
  const commit = (branch: string, message: string, more: object = {}) => {
    files += 1
    const file = { branch, content: 'x', commit_message: message, ...more }
    return ok(`POST ${P}/repository/files/file-${files}.txt`, file)
  }
  return { ...scene, jira, commit }
}

describeOnDatabase('Jira', (open) => {
  test('gets a comment for each issue that commits name, and a transition for those that they close', async () => {
    const { jira, commit, deliver, services } = await openJira({}, open, ['NONE-1'])
    deliver()
    await commit('topic', 'Fix [it] for ABC-1, ABC-2 and NONE-1', { start_branch: 'main' })
    const [first, second] = await jira.until(2, isPost)
    const url = /\[a commit of ada\/app\|(\S+\/ada\/app\/-\/commit\/[0-9a-f]{40})\]/.exec(
      String(first?.body['body']),
    )?.[1]
    const instance = url?.slice(0, url.indexOf('/ada/app'))
    expect(first).toMatchObject({ path: '/rest/api/2/issue/ABC-1/comment' })
    expect(first?.text).toBe(
      JSON.stringify({
        body:
          `[ada|${instance}/ada] mentioned this issue in [a commit of ada/app|${url}]:\n` +
          '{quote}Fix \\[it\\] for ABC-1, ABC-2 and NONE-1{quote}',
      }),
    )
    expect(first?.headers).toMatchObject({ 'content-type': 'application/json', authorization: AUTHORIZATION })
    expect(second).toMatchObject({ path: '/rest/api/2/issue/ABC-2/comment' })
    const [link] = await jira.until(2, isLink)
    expect(link).toMatchObject({ path: '/rest/api/2/issue/ABC-1/remotelink' })
    const sha = url?.split('/').at(-1)
    expect(link?.text).toBe(
      JSON.stringify({
        globalId: `switchyard.example&project=1&commit=${sha}`,
        relationship: 'mentioned on',
        object: {
          url,
          title: `ada/app@${sha?.slice(0, 8)}: Fix [it] for ABC-1, ABC-2 and NONE-1`,
          icon: { url16x16: `${instance}/favicon.svg`, title: 'Switchyard' },
        },
      }),
    )
    expect(link?.headers).toMatchObject({ 'content-type': 'application/json', authorization: AUTHORIZATION })
    await commit('main', 'Closes ABC-3. See ABC-4')
    const posts = await jira.until(5, isPost)
    expect(posts.slice(2).map(({ path, text }) => [path.slice('/rest/api/2/issue/'.length), text])).toEqual([
      ['ABC-4/comment', expect.stringContaining('mentioned this issue') as string],
      ['ABC-3/transitions', '{"transition":{"id":"2"}}'],
      [
        'ABC-3/comment',
        expect.stringMatching(/^\{"body":"Issue solved with \[[0-9a-f]{8}\|\S+\]\."\}$/) as string,
      ],
    ])
    // An unknown issue is no failure of the tracker.
    const hook = await services.database.selectFrom('web_hook').selectAll().executeTakeFirstOrThrow()
    expect(hook.recent_failures).toBe(0)
    const logs = await services.database.selectFrom('hook_log').selectAll().execute()
    expect(JSON.stringify(logs)).not.toContain(AUTHORIZATION.slice('Basic '.length))
  })

  test('goes on with the request that failed', async () => {
    const { jira, commit, ok, P, services } = await openJira({}, open)
    const { respond } = jira
    let broken = true
    jira.respond = (response, received) => {
      if (broken && received.path.includes('ABC-2')) {
        broken = false
        response.destroy()
      } else respond(response, received)
    }
    await commit('main', 'See ABC-1, ABC-2 and ABC-3')
    const stopping = new AbortController()
    const { DeliveryWorker } =
      await import('../../../../src/coordinator/integrations/webhooks/deliveries/delivery-worker.js')
    const worker = new DeliveryWorker({
      ...services.deliveries,
      logger: services.logger,
      timings: { lease: 60_000, retries: [1], rest: 1 },
    })
    const running = worker.run(stopping.signal)
    const posts = await jira.until(3, isPost)
    stopping.abort()
    await running
    expect(posts.map(({ path }) => /ABC-\d/.exec(path)?.[0])).toEqual(['ABC-1', 'ABC-2', 'ABC-3'])
    expect(await services.database.selectFrom('hook_delivery').selectAll().execute()).toEqual([])
    expect(await ok(`GET ${P}/integrations/jira`)).toMatchObject({ active: true })
  })
})

test('Jira gets one comment for a commit, others for merge requests, and what they close when they are merged', async () => {
  const { jira, commit, deliver, ok, P } = await openJira({ jira_issue_transition_id: '5, 31' })
  deliver()
  await commit('topic', 'See ABC-1', { start_branch: 'main' })
  await jira.until(1, isPost)
  await ok(`POST ${P}/repository/branches`, { branch: 'copy', ref: 'topic' })
  const request = await ok(`POST ${P}/merge_requests`, {
    source_branch: 'topic',
    target_branch: 'main',
    title: 'Topic ABC-2',
  })
  const M = `${P}/merge_requests/${String(request['iid'])}`
  await ok(`PUT ${M}`, { description: 'Closes ABC-2 and ABC-3' })
  await jira.until(3, isPost)
  await ok(`PUT ${M}/merge`)
  const posts = await jira.until(10, isPost)
  expect(
    posts.map(({ path, body }) => [
      path.slice('/rest/api/2/issue/'.length),
      body['transition'] ?? String(body['body']).replaceAll(/\|[^\]]*/g, ''),
    ]),
  ).toEqual([
    ['ABC-1/comment', expect.stringContaining('in [a commit of ada/app]') as string],
    ['ABC-2/comment', expect.stringContaining('in [a merge request of ada/app]') as string],
    ['ABC-3/comment', expect.stringContaining('in [a merge request of ada/app]') as string],
    // The merge commit has the title of the merge request.
    ['ABC-2/comment', expect.stringContaining('in [a commit of ada/app]') as string],
    ...['ABC-2', 'ABC-3'].flatMap((key) => [
      [`${key}/transitions`, { id: '5' }],
      [`${key}/transitions`, { id: '31' }],
      [`${key}/comment`, expect.stringMatching(/^Issue solved with \[/) as string],
    ]),
  ])
})

test('without comments, Jira gets links and closes issues; a test changes nothing', async () => {
  const { jira, commit, deliver, call, ok, P } = await openJira({
    comment_on_event_enabled: false,
    api_url: undefined,
  })
  deliver()
  expect(await call(`POST ${P}/integrations/jira/test`)).toEqual([201, {}])
  expect(jira.received.map(({ method, path }) => [method, path])).toEqual([['GET', '/rest/api/2/serverInfo']])
  await commit('main', 'See ABC-1, fixes ABC-2')
  await commit('main', 'Closes ABC-3')
  const posts = await jira.until(2, isPost)
  expect(posts.map(({ path }) => path)).toEqual([
    '/rest/api/2/issue/ABC-2/transitions',
    '/rest/api/2/issue/ABC-3/transitions',
  ])
  const links = await jira.until(3, isLink)
  expect(links.map(({ path }) => /ABC-\d/.exec(path)?.[0])).toEqual(['ABC-1', 'ABC-2', 'ABC-3'])
  await ok(`PUT ${P}/integrations/jira`, { commit_events: false })
  await commit('main', 'See ABC-4')
  await commit('main', 'Closes ABC-5')
  expect((await jira.until(4, isLink))[3]?.path).toBe('/rest/api/2/issue/ABC-5/remotelink')
})

test('a merge request has one link at an issue, also after it was merged', async () => {
  const { jira, commit, deliver, ok, P } = await openJira({ commit_events: false })
  deliver()
  await commit('topic', 'Work', { start_branch: 'main' })
  const request = await ok(`POST ${P}/merge_requests`, {
    source_branch: 'topic',
    target_branch: 'main',
    title: 'Topic: closes ABC-2',
  })
  const isOfRequest = (received: Received) => isLink(received) && received.text.includes('&merge_request=')
  await jira.until(1, isOfRequest)
  await ok(`PUT ${P}/merge_requests/${String(request['iid'])}/merge`)
  const links = (await jira.until(2, isOfRequest)).map(({ body }) => body)
  expect(links[1]).toMatchObject({
    globalId: `switchyard.example&project=1&merge_request=${String(request['iid'])}`,
    object: { title: `ada/app!${String(request['iid'])}: Topic: closes ABC-2`, url: request['web_url'] },
  })
  expect(links[1]).toEqual(links[0])
})

test('a tracker that refuses links is used for the rest, and is no failing receiver', async () => {
  const { jira, commit, deliver, services } = await openJira()
  const { respond } = jira
  jira.respond = (response, received) => {
    if (!isLink(received)) return respond(response, received)
    response.statusCode = 403
    response.end()
  }
  deliver()
  await commit('main', 'See ABC-1 and ABC-2')
  await jira.until(2, isLink)
  const deliveries = () => services.database.selectFrom('hook_delivery').select('id').execute()
  await expect.poll(deliveries).toEqual([])
  expect(jira.received.filter(isPost)).toHaveLength(2)
  const hook = await services.database.selectFrom('web_hook').selectAll().executeTakeFirstOrThrow()
  expect(hook.recent_failures).toBe(0)
})

test('keys of issues are found, and those that are closed', () => {
  expect(issueKeys('A-1 AB-1, xAB-2 AB-3x [AB_C2-4] AB-1 ab-5')).toEqual(['AB-1', 'AB_C2-4'])
  expect(closedKeys('Closes: AB-1, AB-2 and AB-3 see AB-4. fixing issue AB-5 AB-6; close AB-7,and')).toEqual([
    'AB-1',
    'AB-2',
    'AB-3',
    'AB-5',
    'AB-6',
    'AB-7',
  ])
  expect(closedKeys('Enclose AB-1; closes #3, AB-2')).toEqual([])
})
