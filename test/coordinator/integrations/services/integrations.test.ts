import { expect, test } from 'vitest'

import { KINDS } from '../../../../src/coordinator/integrations/services/kinds.js'
import { describeOnDatabase } from '../../../support/databases.js'
import { testAtNight } from '../../../support/nightly.js'
import { HookReceiver } from '../../ci/signals/hook-receiver.js'
import { type Body, openScene } from './scene.js'

describeOnDatabase('an integration', (open) => {
  test('is set, read, listed while it is active, and deleted, under both paths and each slug', async () => {
    const { call, ok, P, services } = await openScene(open)
    const settings = { webhook: 'https://chat.example.com/secret', channel: '#team', issues_events: false }
    const set = await ok(`PUT ${P}/integrations/slack`, settings)
    expect(set).toMatchObject({
      title: 'Slack',
      slug: 'slack',
      active: true,
      push_events: true,
      issues_events: false,
      confidential_issues_events: false,
      properties: { channel: '#team', username: null },
    })
    expect(JSON.stringify(set)).not.toContain('secret')
    expect(await ok(`GET ${P}/services/slack`)).toEqual(set)
    // What is not given stays, the secret, too.
    expect(await ok(`PUT ${P}/services/slack`, { username: 'bot' })).toMatchObject({
      issues_events: false,
      properties: { channel: '#team', username: 'bot' },
    })
    expect(await ok(`GET ${P}/integrations`)).toMatchObject([{ slug: 'slack', active: true }])
    expect(await ok(`GET ${P}/hooks`)).toEqual([])
    await ok(`PUT ${P}/integrations/slack`, { active: false })
    expect(await ok(`GET ${P}/integrations`)).toEqual([])
    expect(await services.database.selectFrom('web_hook').select('id').execute()).toEqual([])
    expect((await call(`DELETE ${P}/integrations/slack`))[0]).toBe(204)
    expect((await call(`DELETE ${P}/integrations/slack`))[0]).toBe(404)
    expect(await ok(`GET ${P}/integrations/slack`)).toMatchObject({ id: null, active: false })
    const neutral = { vendor_url: 'https://ci.example.com', token: 'x' }
    expect(await ok(`PUT ${P}/services/ci-server-b`, neutral)).toMatchObject({
      slug: 'drone-ci',
      properties: { drone_url: 'https://ci.example.com' },
    })
    expect(await ok(`GET ${P}/integrations/drone_ci`)).toMatchObject({ slug: 'drone-ci', active: true })
  })
})

testAtNight('every kind requires what the documents say, and takes it', async () => {
  const { call, ok, P } = await openScene()
  for (const { slug, properties } of KINDS) {
    const required = Object.entries(properties).filter(([, { isRequired }]) => isRequired)
    const values: Body = Object.fromEntries(
      required.map(([name, { kind }]) => [
        name,
        kind === 'url' || name === 'webhook' ? 'https://other.example.com/x' : 'x',
      ]),
    )
    for (const [name] of required) {
      const { [name]: _left, ...others } = values
      expect(await call(`PUT ${P}/integrations/${slug}`, others)).toEqual([
        400,
        { error: `${name} is missing` },
      ])
    }
    expect(await ok(`PUT ${P}/integrations/${slug}`, values)).toMatchObject({ slug, active: true })
  }
  expect(await call(`PUT ${P}/integrations/slack`, { webhook: 'nonsense' })).toEqual([
    400,
    { message: { webhook: ['must be a valid URL'] } },
  ])
  expect((await call(`GET ${P}/integrations/unknown`))[0]).toBe(404)
})

testAtNight('the misspelt name of a flag is taken for the flag', async () => {
  const { ok, P } = await openScene()
  const values = { token: 't', confidental_note_events: true }
  expect(await ok(`PUT ${P}/services/group-chat-b`, values)).toMatchObject({
    slug: 'hipchat',
    confidential_note_events: true,
  })
  expect(await ok(`GET ${P}/services/group-chat-b`)).toMatchObject({ confidential_note_events: true })
})

testAtNight('a chat service gets messages about the events that it wants', async () => {
  const { call, ok, P, deliver, services } = await openScene()
  const receiver = await HookReceiver.start()
  await ok(`PUT ${P}/integrations/slack`, {
    webhook: `${receiver.url}/slack`,
    username: 'bot',
    channel: '#all',
    issue_channel: '#issues',
    merge_requests_events: false,
    branches_to_be_notified: 'default',
  })
  await ok(`PUT ${P}/integrations/microsoft-teams`, { webhook: `${receiver.url}/teams`, push_events: false })
  deliver()
  await ok(`POST ${P}/issues`, { title: 'A <b> & c' })
  const [slack] = await receiver.until(1, ({ path }) => path === '/slack')
  expect(slack?.body).toEqual({
    text: expect.stringMatching(
      /^<http:\/\/\S+\/ada\/app\|ada\/app>: <http:\/\/\S+\/issues\/1\|ada opened issue #1: A &lt;b&gt; &amp; c>$/,
    ) as string,
    username: 'bot',
    channel: '#issues',
  })
  const [teams] = await receiver.until(1, ({ path }) => path === '/teams')
  expect(teams?.body).toMatchObject({
    '@type': 'MessageCard',
    title: 'ada/app',
    sections: [{ activityTitle: expect.stringContaining('[ada opened issue #1: A <b> & c](') as string }],
  })
  const commit = (branch: string, file: string, more: object = {}) =>
    ok(`POST ${P}/repository/files/${file}`, { branch, content: 'x', commit_message: `Add ${file}`, ...more })
  await commit('topic', 'a.txt', { start_branch: 'main' })
  await commit('main', 'b.txt')
  const [, push] = await receiver.until(2, ({ path }) => path === '/slack')
  expect(push?.body).toMatchObject({
    text: expect.stringMatching(/ada pushed 1 commit to branch main>$/) as string,
    channel: '#all',
    attachments: [{ text: expect.stringMatching(/^<http\S+\|[0-9a-f]{8}: Add b\.txt - ada>$/) as string }],
  })
  expect(await call(`POST ${P}/integrations/slack/test`)).toEqual([201, {}])
  expect((await call(`POST ${P}/integrations/discord/test`))[0]).toBe(404)
  expect(receiver.received.filter(({ path }) => path === '/teams')).toHaveLength(1)
  // The path is the secret of these addresses.
  const logs = await services.database.selectFrom('hook_log').select('url').execute()
  expect(new Set(logs.map(({ url }) => url))).toEqual(new Set([receiver.url]))
})

test('a CI server gets the payload of the webhook, with its credentials', async () => {
  const { ok, P, deliver } = await openScene()
  const receiver = await HookReceiver.start()
  await ok(`PUT ${P}/integrations/jenkins`, {
    jenkins_url: `${receiver.url}/`,
    project_name: 'my app',
    username: 'ci',
    password: 'p:w',
  })
  deliver()
  await ok(`POST ${P}/repository/files/a.txt`, { branch: 'main', content: 'x', commit_message: 'Add' })
  const [push] = await receiver.until(1)
  expect(push).toMatchObject({
    path: '/project/my%20app',
    body: { object_kind: 'push', ref: 'refs/heads/main' },
    headers: { authorization: `Basic ${Buffer.from('ci:p:w').toString('base64')}` },
  })
})

testAtNight('the kinds name what a form has, in the order of the form', async () => {
  const { ok } = await openScene()
  const kinds = (await ok('GET /integration_kinds')) as unknown as Body[]
  expect(kinds.map(({ slug }) => slug)).toEqual(KINDS.map(({ slug }) => slug))
  expect(kinds.find(({ slug }) => slug === 'teamcity')).toEqual({
    slug: 'teamcity',
    title: 'TeamCity',
    properties: [
      { name: 'teamcity_url', kind: 'url', required: true },
      { name: 'build_type', kind: 'text', required: true },
      { name: 'username', kind: 'text', required: true },
      { name: 'password', kind: 'secret', required: true },
      { name: 'enable_ssl_verification', kind: 'flag', required: false },
    ],
    events: ['push_events', 'merge_requests_events'],
    sends: true,
    discontinued: false,
  })
  expect(kinds.flatMap(({ slug, discontinued }) => (discontinued === true ? [slug] : []))).toEqual([
    'campfire',
    'flowdock',
    'hipchat',
  ])
  expect(kinds.find(({ slug }) => slug === 'external-wiki')).toMatchObject({ events: [], sends: false })
})
