import { expect, test, vi } from 'vitest'

import { parseCommand } from '../../../../src/coordinator/planning/chat-commands/parse-command.js'
import { describeOnDatabase } from '../../../support/databases.js'
import { testAtNight } from '../../../support/nightly.js'
import { type Body } from '../../integrations/services/scene.js'
import { chatForFile, openChat, TOKEN } from './chat-scene.js'

const openSharedChat = chatForFile()

describeOnDatabase('slash commands', (open) => {
  test('need a user of this instance, whom a code connects', async () => {
    const { app, say, codeFor, confirm, connect, ada, P, ok, person } = await openSharedChat(open)
    const asked = await say('issue new Nobody')
    expect(asked.response_type).toBe('ephemeral')
    expect(asked.text).toMatch(/^Connect your account first\..*\/-\/user_settings\/chat_names\?code=\S+$/)
    expect(await ok(`GET ${P}/issues`)).toEqual([])
    const project = await ok(`GET ${P}`)
    const record = await connect(ada, 'U1')
    expect(record).toEqual({
      id: expect.any(Number) as number,
      project_id: project['id'],
      slug: 'slack-slash-commands',
      team_id: 'T1',
      team_domain: 'team',
      chat_id: 'U1',
      chat_name: 'chat',
      last_used_at: null,
      created_at: expect.any(String) as string,
    })
    expect((await say('help')).text).toMatch(/^Commands:\n• \/app help\n• \/app issue new &lt;title&gt;/)
    expect(await ok('GET /user/chat_names')).toMatchObject([{ last_used_at: expect.any(String) as string }])
    // The same ID in another team is another chat user.
    expect((await say('help', 'U1', { team_id: 'T2' })).text).toContain('Connect your account')
    const other = await person('other')
    expect((await app.call(other, `DELETE /user/chat_names/${String(record['id'])}`)).statusCode).toBe(404)
    expect((await app.call(other, 'GET /user/chat_names')).json()).toEqual([])
    expect((await app.call(ada, `DELETE /user/chat_names/${String(record['id'])}`)).statusCode).toBe(204)
    expect((await say('help')).text).toContain('Connect your account')
    const [first, second] = [await codeFor('U7'), await codeFor('U7')]
    const results = []
    for (const code of [first, second, second, 'none']) {
      results.push((await confirm(ada, code)).statusCode)
    }
    // A code is used once, and a later one replaces it.
    expect(results).toEqual([404, 201, 404, 404])
    expect((await app.call(undefined, 'POST /user/chat_names', { code: 'x' })).statusCode).toBe(401)
  })

  test('create, show, find and close issues', async () => {
    const { say, connect, ada, ok, P } = await openSharedChat(open)
    await connect(ada, 'U1')
    const created = await say('issue new A <b> & c\nMore\nlines')
    expect(created).toEqual({
      response_type: 'in_channel',
      text: expect.stringMatching(
        /^ada created the issue <http\S+\/ada\/app\/-\/issues\/1\|#1 A &lt;b&gt; &amp; c>$/,
      ) as string,
    })
    expect(await ok(`GET ${P}/issues/1`)).toMatchObject({ title: 'A <b> & c', description: 'More\nlines' })
    expect((await say('issue show #1')).text).toMatch(/\|#1 A &lt;b&gt; &amp; c> \(opened\)$/)
    expect((await say('issue search <b>')).text).toMatch(/^• <\S+\/issues\/1\|#1 .*\(opened\)$/)
    expect((await say('issue search nothing')).text).toBe('No issue was found.')
    expect((await say('issue close 1')).text).toMatch(/^ada closed the issue </)
    expect((await say('issue close 1')).text).toMatch(/is closed already\.$/)
    expect(await ok(`GET ${P}/issues/1`)).toMatchObject({ state: 'closed' })
    expect((await say('issue show 2')).text).toBe('There is no such thing, or you may not see it.')
    expect((await say('issue remove 1')).text).toMatch(/^This is not a command\./)
    expect((await say(`issue new ${'x'.repeat(256)}`)).text).toBe('A title has at most 255 characters.')
    await ok(`POST ${P}/issues`, { title: 'Hidden', confidential: true })
    expect((await say('issue show 2')).response_type).toBe('ephemeral')
  })

  test('start a single job with what the chat user wrote', async () => {
    const { say, connect, ada, ok, P, services } = await openSharedChat(open)
    await connect(ada, 'U1')
    const file = [
      'build: { script: make }',
      'hello: { stage: deploy, needs: [build], script: echo, only: [chat] }',
      'never: { script: x, except: [chat] }',
    ].join('\n')
    await ok(`POST ${P}/repository/files/.gitlab-ci.yml`, {
      branch: 'main',
      content: file,
      commit_message: 'CI',
    })
    const started = await say('run hello $CI_JOB_TOKEN to "all"')
    expect(started).toEqual({
      response_type: 'in_channel',
      text: expect.stringMatching(/^ada started hello in <\S+\/pipelines\/\d+\|pipeline #\d+>$/) as string,
    })
    const pipelines = (await ok(`GET ${P}/pipelines?source=chat`)) as unknown as Body[]
    expect(pipelines).toMatchObject([{ source: 'chat', ref: 'main' }])
    const id = String(pipelines[0]?.['id'])
    expect(await ok(`GET ${P}/pipelines/${id}/jobs`)).toMatchObject([{ name: 'hello', status: 'pending' }])
    expect(await ok(`GET ${P}/pipelines/${id}/variables`)).toMatchObject([
      { key: 'CHAT_INPUT', value: '$CI_JOB_TOKEN to "all"' },
      { key: 'CHAT_CHANNEL', value: 'C1' },
      { key: 'CHAT_USER_ID', value: 'U1' },
    ])
    expect((await say('run never')).text).toBe('The job was not started: There is no job never')
    expect(
      await services.database.selectFrom('job').select('name').where('name', '=', 'never').execute(),
    ).toHaveLength(1)
  })

  test('deploy what one environment has to another', async () => {
    const { say, connect, ada, ok, P, services } = await openSharedChat(open)
    await connect(ada, 'U1')
    const file = [
      'staging: { script: x, environment: staging }',
      'production: { script: x, environment: production, when: manual }',
    ].join('\n')
    await ok(`POST ${P}/repository/files/.gitlab-ci.yml`, {
      branch: 'main',
      content: file,
      commit_message: 'CI',
    })
    expect((await say('deploy staging to production')).text).toBe(
      'The last deployment to staging has no manual job for production.',
    )
    await services.database.updateTable('deployment').set({ status: 'success' }).execute()
    expect((await say('deploy staging to nowhere')).text).toMatch(/has no manual job for nowhere\.$/)
    expect((await say('deploy staging to production')).text).toMatch(
      /^ada deploys staging to production: <\S+\/-\/jobs\/\d+\|production>$/,
    )
    expect(await ok(`GET ${P}/jobs?scope=pending`)).toMatchObject([
      { name: 'production' },
      { name: 'staging' },
    ])
  })
})

test('commands do no more than their user may', async () => {
  const { say, connect, person, ok, P, ada, services } = await openSharedChat()
  const [stranger, guest, developer] = [
    await person('stranger'),
    await person('guest', 10),
    await person('developer', 30),
  ]
  await connect(stranger, 'S')
  await connect(guest, 'G')
  await connect(developer, 'D')
  await connect(ada, 'A')
  await ok(`POST ${P}/issues`, { title: 'Hidden', confidential: true })
  await ok(`POST ${P}/issues`, { title: 'Open' })
  const file = 'job: { script: x }'
  await ok(`POST ${P}/repository/files/.gitlab-ci.yml`, {
    branch: 'main',
    content: file,
    commit_message: 'CI',
  })
  const NO = 'You are not allowed to do this.'
  for (const user of ['S', 'G']) {
    expect((await say('issue show 1', user)).text).toBe('There is no such thing, or you may not see it.')
    expect((await say('issue search Hidden', user)).text).toBe('No issue was found.')
    expect((await say('issue close 2', user)).text).toBe(NO)
    expect((await say('run job', user)).text).toBe(NO)
    expect((await say('deploy a to b', user)).text).toBe(NO)
  }
  // The default branch is protected.
  expect((await say('run job', 'D')).text).toMatch(
    /^The job was not started: You do not have sufficient permission/,
  )
  await ok(`PUT ${P}`, { visibility: 'private' })
  for (const text of ['issue show 2', 'issue search Open', 'issue new X']) {
    expect((await say(text, 'S')).text).toBe(NO)
  }
  await ok(`POST ${P}/archive`)
  for (const text of ['issue new X', 'issue close 2', 'run job', 'deploy a to b']) {
    expect((await say(text, 'A')).text).toBe(NO)
  }
  expect((await say('issue show 2', 'A')).text).toContain('Open')
  await services.database
    .updateTable('user')
    .set({ state: 'blocked' })
    .where('id', '=', developer.id)
    .execute()
  expect((await say('issue show 2', 'D')).text).toBe(NO)
  expect((await say('help', 'D')).text).toBe(NO)
})

test('a wrong token gets the same response as a project that does not exist, and too many are limited', async () => {
  const { trigger, said, ok, P, call } = await openChat(undefined, {
    rateLimits: { authenticated: 0, unauthenticated: 0, failedAuthentications: 8, archives: 0 },
  })
  const body = { ...said, user_id: 'U1', text: 'help' }
  const path = `${P}/integrations/slack-slash-commands`
  const missing = [404, { message: '404 Integration Not Found' }]
  expect((await trigger(body, path))[0]).toBe(200)
  expect(await trigger({ ...body, token: 'x' }, path)).toEqual(missing)
  expect(await trigger({ ...body, token: `${TOKEN}x` }, path)).toEqual(missing)
  expect(await trigger(body, '/projects/999/services/slack_slash_commands')).toEqual(missing)
  expect(await trigger(body, `${P}/services/mattermost_slash_commands`)).toEqual(missing)
  expect(await trigger(body, `${P}/services/slack`)).toEqual(missing)
  expect((await trigger({ ...body, token: '' }, path))[0]).toBe(400)
  await ok(`PUT ${P}/services/slack-slash-commands`, { active: false })
  expect(await trigger(body, path)).toEqual(missing)
  await ok(`PUT ${P}/services/slack-slash-commands`, { active: true })
  for (const token of ['x', 'y']) expect(await trigger({ ...body, token }, path)).toEqual(missing)
  expect((await trigger(body, path))[0]).toBe(429)
  expect((await call(`GET ${P}`))[0]).toBe(200)
})

test('chat services send forms', async () => {
  const { app, said, P } = await openSharedChat()
  const response = await app.app.inject({
    method: 'POST',
    url: `/api/v4${P}/integrations/slack_slash_commands/trigger`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({
      ...said,
      user_id: 'U1',
      text: 'issue show 1',
      response_url: 'https://x',
    }).toString(),
  })
  expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'application/json'])
  expect(response.json()).toMatchObject({
    response_type: 'ephemeral',
    text: expect.stringContaining('code=') as string,
  })
})

test('a chat that does not say who writes gets no code', async () => {
  const { say, services } = await openSharedChat()
  expect((await say('help', '')).text).toBe('The chat service does not say who you are.')
  expect((await say('help', 'U1', { team_id: undefined })).text).toBe(
    'The chat service does not say who you are.',
  )
  expect(await services.database.selectFrom('chat_name_code').selectAll().execute()).toEqual([])
})

test('a code shows who asks, and connects nobody without a confirmation in a browser', async () => {
  const { app, say, codeFor, confirm, ada, ok, P, person } = await openSharedChat()
  await ok(`PUT ${P}`, { visibility: 'private' })
  const code = await codeFor('U1')
  const asked = await ok(`GET /user/chat_names/request?code=${code}`)
  expect(asked).toEqual({
    slug: 'slack-slash-commands',
    title: 'Slack slash commands',
    project_path: 'ada/app',
    team_id: 'T1',
    team_domain: 'team',
    chat_id: 'U1',
    chat_name: 'chat',
    expires_at: expect.any(String) as string,
  })
  const other = await person('other')
  const shown = await app.call(other, `GET /user/chat_names/request?code=${code}`)
  expect(shown.json()).toMatchObject({ project_path: null, chat_name: 'chat' })
  const byToken = await app.call(ada, 'POST /user/chat_names', { code })
  expect([byToken.statusCode, byToken.json()]).toEqual([
    403,
    { message: '403 Forbidden - Only for browser sessions' },
  ])
  expect((await say('help')).text).toContain('Connect your account')
  expect((await confirm(ada, await codeFor('U1'))).statusCode).toBe(201)
  expect((await app.call(ada, 'GET /user/chat_names/request?code=none')).statusCode).toBe(404)
})

testAtNight('a code expires, is stored as a digest only, and is deleted after its time', async () => {
  const { app, codeFor, confirm, ada, services } = await openSharedChat()
  const code = await codeFor('U1')
  expect(
    JSON.stringify(await services.database.selectFrom('chat_name_code').selectAll().execute()),
  ).not.toContain(code)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10 * 60 * 1000 })
  try {
    expect((await app.call(ada, `GET /user/chat_names/request?code=${code}`)).statusCode).toBe(404)
    expect((await confirm(ada, code)).statusCode).toBe(404)
    await codeFor('U2')
  } finally {
    vi.useRealTimers()
  }
  const rows = await services.database.selectFrom('chat_name_code').select('chat_id').execute()
  expect(rows).toEqual([{ chat_id: 'U2' }])
})

testAtNight('chat users go with the integration', async () => {
  const { connect, ada, ok, P, call } = await openSharedChat()
  await connect(ada, 'U1')
  expect((await call(`DELETE ${P}/integrations/slack-slash-commands`))[0]).toBe(204)
  expect(await ok('GET /user/chat_names')).toEqual([])
})

test.each([
  ['', { kind: 'help' }],
  ['issue create  T \n\n d ', { kind: 'new-issue', title: 'T', description: 'd' }],
  ['issue show 1234567890', { kind: 'unknown' }],
  ['issue search', { kind: 'unknown' }],
  ['run', { kind: 'unknown' }],
  ['run a\n b', { kind: 'run', job: 'a', input: 'b' }],
  ['deploy a b to c d', { kind: 'deploy', from: 'a b', to: 'c d' }],
  ['deploy a to', { kind: 'unknown' }],
  ['constructor', { kind: 'unknown' }],
])('%j is parsed', (text, command) => {
  expect(parseCommand(text)).toEqual(command)
})

// Time that grows with the square of the length would be hours here.
test.each([
  `issue new ${' '.repeat(990_000)}x`,
  `deploy ${'a to '.repeat(200_000)}`,
  `run ${'\n'.repeat(990_000)}`,
])('a long command is parsed', (text) => {
  expect(parseCommand(text).kind).toBeTypeOf('string')
})
