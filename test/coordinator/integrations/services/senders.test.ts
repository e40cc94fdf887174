import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'

import { expect, test } from 'vitest'

import { addressOf } from '../../../../src/coordinator/integrations/services/address-of.js'
import { KINDS } from '../../../../src/coordinator/integrations/services/kinds.js'
import { channelsOf } from '../../../../src/coordinator/integrations/services/senders/irker.js'
import { SENDERS } from '../../../../src/coordinator/integrations/services/senders/senders.js'
import { Settings } from '../../../../src/coordinator/integrations/services/settings.js'
import { deferred } from '../../../../src/lib/deferred.js'
import { onFinished } from '../../../support/lifetime.js'
import { testAtNight } from '../../../support/nightly.js'
import { HookReceiver } from '../../ci/signals/hook-receiver.js'
import { type Body, happeningOf, openScene } from './scene.js'

const SHA = 'a1b2c3d4'.repeat(5)
const ZEROS = '0'.repeat(40)
const project = {
  path_with_namespace: 'team/app',
  web_url: 'https://ci.example/team/app',
  default_branch: 'main',
}
const commit = {
  id: SHA,
  title: 'Fix <it>',
  message: 'Fix <it>\n\nfixes #12, see https://app.asana.com/0/1/34',
  url: 'https://ci.example/c',
  author: { name: 'Bob', email: 'bob@example.com' },
}
const push = {
  object_kind: 'push',
  ref: 'refs/heads/main',
  before: SHA,
  after: SHA,
  user_name: 'Ada',
  user_email: 'ada@example.com',
  project,
  commits: [commit],
  total_commits_count: 1,
}
const TREE = 'https://ci.example/team/app/-/tree/main'
const HTML =
  `<a href="https://ci.example/team/app">team/app</a>: <a href="${TREE}">Ada pushed 1 commit to branch main</a>` +
  '<br/>- <a href="https://ci.example/c">a1b2c3d4: Fix &lt;it&gt; - Bob</a>'
const TEXT = `team/app: Ada pushed 1 commit to branch main (${TREE})\n- a1b2c3d4: Fix <it> - Bob (https://ci.example/c)`
const JSON_TYPE = { 'Content-Type': 'application/json' }

test.each<[string, Body, object]>([
  [
    'assembla',
    { token: 't k', subdomain: 'space' },
    {
      method: 'POST',
      url: 'https://atlas.assembla.com/spaces/space/github_tool?secret_key=t%20k',
      headers: JSON_TYPE,
      body: JSON.stringify({ payload: push }),
    },
  ],
  [
    'pivotaltracker',
    { token: 'tk', restrict_to_branch: 'a, main' },
    {
      method: 'POST',
      url: 'https://www.pivotaltracker.com/services/v5/source_commits',
      headers: { ...JSON_TYPE, 'X-TrackerToken': 'tk' },
      body: JSON.stringify({
        source_commit: {
          commit_id: SHA,
          author: 'Bob',
          url: 'https://ci.example/c',
          message: commit.message,
        },
      }),
    },
  ],
  [
    'flowdock',
    { token: 'tk' },
    {
      method: 'POST',
      url: 'https://api.flowdock.com/messages',
      headers: JSON_TYPE,
      body: JSON.stringify({
        flow_token: 'tk',
        event: 'activity',
        author: { name: 'Ada', email: 'ada@example.com' },
        title: 'Ada pushed 1 commit to branch main',
        body: '- <a href="https://ci.example/c">a1b2c3d4: Fix &lt;it&gt; - Bob</a>',
        external_thread_id: 'https://ci.example/team/app/main',
        thread: { title: 'team/app main', external_url: TREE },
      }),
    },
  ],
  [
    'hipchat',
    { token: 'tk', room: 'my room', notify: true },
    {
      method: 'POST',
      url: 'https://api.hipchat.com/v2/room/my%20room/notification',
      headers: { ...JSON_TYPE, Authorization: 'Bearer tk' },
      body: JSON.stringify({ message: HTML, message_format: 'html', color: 'gray', notify: true }),
    },
  ],
  [
    'hipchat',
    { token: 'tk', room: 'r', api_version: 'v1', server: 'https://chat.example.com/', color: 'purple' },
    {
      method: 'POST',
      url: 'https://chat.example.com/v1/rooms/message?auth_token=tk',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        room_id: 'r',
        from: 'Switchyard',
        message: HTML,
        message_format: 'html',
        color: 'purple',
        notify: '0',
      }).toString(),
    },
  ],
  [
    'matrix',
    { token: 'tk', room: '!a:example.com', hostname: 'https://matrix.example.com/' },
    {
      method: 'PUT',
      url: 'https://matrix.example.com/_matrix/client/v3/rooms/!a%3Aexample.com/send/m.room.message/key-1',
      headers: { ...JSON_TYPE, Authorization: 'Bearer tk' },
      body: JSON.stringify({
        msgtype: 'm.text',
        body: TEXT,
        format: 'org.matrix.custom.html',
        formatted_body: HTML,
      }),
    },
  ],
])('%s gets the documented request', async (slug, values, request) => {
  expect(await messagesOf(slug, push, values)).toEqual([{ kind: 'request', ...request }])
})

function messagesOf(slug: string, event: object, values: Body) {
  const format = KINDS.find((kind) => kind.slug === slug)?.format
  if (!format) throw new Error(`${slug} sends nothing`)
  return SENDERS[format].send(happeningOf(event, values))
}

/** What follows after the response to a lookup. */
async function followed(slug: string, values: Body, response: string) {
  return (await messagesOf(slug, push, values)).map((message) =>
    message.kind === 'lookup'
      ? { url: message.url, headers: message.headers, then: message.follow(response) }
      : message,
  )
}

test('Asana gets a story for each task that a commit names, and completes those that it fixes', async () => {
  const headers = { ...JSON_TYPE, Authorization: 'Bearer tk' }
  const text = `Ada pushed to branch main of team/app ( https://ci.example/c ): ${commit.message}`
  const story = (id: number) => ({
    ...({ kind: 'request', method: 'POST', headers } as const),
    url: `https://app.asana.com/api/1.0/tasks/${id}/stories`,
    body: JSON.stringify({ data: { text } }),
  })
  expect(await followed('asana', { api_key: 'tk' }, '{}')).toEqual([
    {
      url: 'https://app.asana.com/api/1.0/tasks/12?opt_fields=completed',
      headers,
      then: [
        story(12),
        {
          ...({ kind: 'request', method: 'PUT', headers } as const),
          url: 'https://app.asana.com/api/1.0/tasks/12',
          body: '{"data":{"completed":true}}',
        },
      ],
    },
    { url: 'https://app.asana.com/api/1.0/tasks/34?opt_fields=completed', headers, then: [story(34)] },
  ])
  expect(await followed('asana', { api_key: 'tk', restrict_to_branch: 'other' }, '{}')).toEqual([])
})

test('Campfire gets a message in the room of the name', async () => {
  const values = { token: 'tk', subdomain: 'team', room: 'Two' }
  const rooms = JSON.stringify({
    rooms: [
      { id: 1, name: 'One' },
      { id: 2, name: 'Two' },
    ],
  })
  const headers = { ...JSON_TYPE, Authorization: `Basic ${Buffer.from('tk:X').toString('base64')}` }
  const url = 'https://team.campfirenow.com/rooms.json'
  expect(await followed('campfire', values, rooms)).toEqual([
    {
      url,
      headers,
      then: [
        {
          ...({ kind: 'request', method: 'POST', headers } as const),
          url: 'https://team.campfirenow.com/room/2/speak.json',
          body: JSON.stringify({ message: { type: 'TextMessage', body: TEXT } }),
        },
      ],
    },
  ])
  for (const other of ['{"rooms":[]}', 'no JSON']) {
    expect(await followed('campfire', values, other)).toEqual([{ url, headers, then: [] }])
  }
})

test('a subdomain is no other host', () => {
  const kind = KINDS.find(({ slug }) => slug === 'campfire')
  if (!kind) throw new Error('There is no Campfire')
  for (const subdomain of ['evil.example/', 'evil.example?', 'a@evil.example#', 'evil.example\\']) {
    const { url } = addressOf(kind, { subdomain }) ?? { url: '' }
    expect(URL.canParse(url) ? new URL(url).hostname : '.campfirenow.com').toMatch(/\.campfirenow\.com$/)
  }
})

const pipeline = {
  object_kind: 'pipeline',
  project,
  object_attributes: {
    status: 'failed',
    detailed_status: 'failed',
    sha: SHA,
    ref: 'topic',
    url: 'https://ci.example/p/1',
  },
}

test.each([
  ['success', 'success'],
  ['failed', 'failure'],
  ['canceled', 'error'],
  ['running', 'pending'],
  ['manual', 'pending'],
])('the status %s of a pipeline is %s at the code host', async (status, state) => {
  const event = { ...pipeline, object_attributes: { ...pipeline.object_attributes, status } }
  const values = { token: 'tk', repository_url: 'https://github.com/owner/name.git' }
  expect(await messagesOf('github', event, values)).toEqual([
    {
      kind: 'request',
      method: 'POST',
      url: `https://api.github.com/repos/owner/name/statuses/${SHA}`,
      headers: { ...JSON_TYPE, Accept: 'application/vnd.github.v3+json', Authorization: 'token tk' },
      body: JSON.stringify({
        state,
        target_url: 'https://ci.example/p/1',
        description: 'Pipeline failed on Switchyard',
        context: 'ci/gitlab/ci.example',
      }),
    },
  ])
})

testAtNight('the code host gets the statuses of a pipeline as it changes', async () => {
  const { ok, call, P, deliver } = await openScene()
  const receiver = await HookReceiver.start()
  await ok(`PUT ${P}/integrations/github`, {
    token: 'tk',
    repository_url: `${receiver.url}/owner/name`,
    static_context: false,
  })
  expect(await call(`POST ${P}/integrations/github/test`)).toEqual([
    422,
    { message: 'Ensure the project has CI pipelines.' },
  ])
  deliver()
  const commit = await ok(`POST ${P}/repository/commits`, {
    branch: 'main',
    commit_message: 'Add',
    actions: [{ action: 'create', file_path: '.gitlab-ci.yml', content: 'job: {script: "true"}' }],
  })
  const [first] = await receiver.until(1)
  expect(first).toMatchObject({
    path: `/api/v3/repos/owner/name/statuses/${String(commit['id'])}`,
    headers: { authorization: 'token tk', accept: 'application/vnd.github.v3+json' },
    body: { state: 'pending', context: 'ci/gitlab/main' },
  })
  expect(await call(`POST ${P}/integrations/github/test`)).toEqual([201, {}])
})

/** A server on TCP, and all bytes that it got. */
async function startIrker() {
  const { promise, resolve } = deferred<string>()
  const server = createServer((socket) => {
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('end', () => resolve(Buffer.concat(chunks).toString()))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onFinished(() => new Promise<void>((done) => server.close(() => done())))
  return { port: (server.address() as AddressInfo).port, received: promise }
}

testAtNight('irker gets a line of JSON for each line of text', async () => {
  const { ok, call, P, deliver, services } = await openScene()
  const server = await startIrker()
  await ok(`PUT ${P}/integrations/irker`, {
    recipients: 'team irc://other.example/room',
    default_irc_uri: 'irc://irc.example:6697/',
    server_host: '127.0.0.1',
    server_port: server.port,
  })
  deliver()
  const message = 'Add\u0007 it'
  await ok(`POST ${P}/repository/files/a.txt`, { branch: 'main', content: 'x', commit_message: message })
  const lines = (await server.received).split('\n')
  expect(lines.pop()).toBe('')
  const to = ['irc://irc.example:6697/team', 'irc://other.example/room']
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    {
      to,
      privmsg: expect.stringMatching(
        /^\[ada\/app\] ada pushed 1 new commit to main: http:\S+\/ada\/app\/-\/compare\/[0-9a-f]{40}\.\.\.[0-9a-f]{40}$/,
      ) as string,
    },
    { to, privmsg: expect.stringMatching(/^main ada [0-9a-f]{8}: Add it$/) as string },
  ])
  await ok(`PUT ${P}/integrations/irker`, { server_port: 1 })
  expect((await call(`POST ${P}/integrations/irker/test`))[0]).toBe(422)
  const { url } = await services.database
    .selectFrom('hook_log')
    .select('url')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  expect(url).toBe('tcp://127.0.0.1:1')
})

test('irker may have colors, and gets branches that are new or deleted', async () => {
  const values = { recipients: 'irc://irc.example/a', colorize_messages: true }
  const lines = async (event: object, more: Body = {}) =>
    (await messagesOf('irker', event, { ...values, ...more })).map((message) =>
      message.kind === 'socket' ? [message.host, message.port, message.body] : [],
    )
  const to = ['irc://irc.example/a']
  const created = { ...push, before: ZEROS, commits: [] }
  expect(await lines(created)).toEqual([
    [
      'localhost',
      6659,
      `${JSON.stringify({ to, privmsg: '[\u0002team/app\u000f] \u000303Ada\u000f created branch \u000307main\u000f: \u000312https://ci.example/team/app/-/commits/main\u000f' })}\n`,
    ],
  ])
  const deleted = { ...push, after: ZEROS, commits: [] }
  expect(await lines(deleted, { colorize_messages: false })).toEqual([
    ['localhost', 6659, `${JSON.stringify({ to, privmsg: '[team/app] Ada deleted branch main' })}\n`],
  ])
  expect(await lines(push, { recipients: 'https://irc.example/a b' })).toEqual([])
  const settings = new Settings({ recipients: '#a ircs://x/y,isnick', default_irc_uri: 'irc://d' })
  expect(channelsOf(settings)).toEqual(['irc://d/#a', 'ircs://x/y,isnick'])
})
