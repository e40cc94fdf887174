import { expect, test } from 'vitest'

import { teamcity } from '../../../../src/coordinator/integrations/services/senders/ci-servers.js'
import { HookReceiver } from '../../ci/signals/hook-receiver.js'
import { type Body, happeningOf, openScene } from './scene.js'

async function openServer(slug: string, settings: (url: string) => Body) {
  const scene = await openScene()
  const receiver = await HookReceiver.start()
  const { ok, P } = scene
  await ok(`PUT ${P}/integrations/${slug}`, settings(receiver.url))
  let files = 0
  const commit = (branch: string, more: object = {}) => {
    files += 1
    const file = { branch, content: 'x', commit_message: 'Add', ...more }
    return ok(`POST ${P}/repository/files/file-${files}.txt`, file)
  }
  scene.deliver()
  return { ...scene, receiver, commit }
}

const BASIC = `Basic ${Buffer.from('ci:p:w').toString('base64')}`

test('TeamCity queues a build for pushes, and for merge requests of the branches that have one', async () => {
  const { receiver, commit, ok, call, P } = await openServer('teamcity', (url) => ({
    teamcity_url: `${url}/`,
    build_type: 'App_"Build"',
    username: 'ci',
    password: 'p:w',
  }))
  const build = (branch: string) =>
    `<build branchName="${branch}"><buildType id="App_&quot;Build&quot;"/></build>`
  await commit('a&b', { start_branch: 'main' })
  const [first] = await receiver.until(1)
  expect(first).toMatchObject({
    method: 'POST',
    path: '/httpAuth/app/rest/buildQueue',
    text: build('a&amp;b'),
    headers: { 'content-type': 'application/xml', authorization: BASIC },
  })
  const request = await ok(`POST ${P}/merge_requests`, {
    source_branch: 'a&b',
    target_branch: 'main',
    title: 'One',
  })
  await ok(`PUT ${P}/merge_requests/${String(request['iid'])}`, { title: 'Other' })
  await ok(`POST ${P}/repository/branches`, { branch: 'same', ref: 'main' })
  await ok(`DELETE ${P}/repository/branches/same`)
  await commit('a&b')
  await commit('main')
  // A push, an opened merge request, and a push to a branch without one.
  const builds = (await receiver.until(3)).map(({ text }) => text)
  expect(builds).toEqual([build('a&amp;b'), build('a&amp;b'), build('main')])
  expect(await call(`POST ${P}/integrations/teamcity/test`)).toEqual([201, {}])
  expect(receiver.received.at(-1)?.text).toBe(build('main'))
})

test('new commits of a merge request are built', async () => {
  const settings = { teamcity_url: 'https://ci.example.com', build_type: 'x', username: 'u', password: 'p' }
  const sent = async (attributes: object) => {
    const happening = happeningOf({ object_kind: 'merge_request', object_attributes: attributes }, settings)
    return (await teamcity.send(happening)).length
  }
  expect(await sent({ action: 'update', oldrev: 'a', source_branch: 'x' })).toBe(1)
  expect(await sent({ action: 'reopen', source_branch: 'x' })).toBe(1)
  expect(await sent({ action: 'update', source_branch: 'x' })).toBe(0)
  expect(await sent({ action: 'merge', source_branch: 'x' })).toBe(0)
})

test('Bamboo builds its plan when a branch moves', async () => {
  const { receiver, commit, ok, P } = await openServer('bamboo', (url) => ({
    bamboo_url: url,
    build_key: 'APP-X&1',
    username: 'ci',
    password: 'p:w',
  }))
  await commit('topic', { start_branch: 'main' })
  await ok(`DELETE ${P}/repository/branches/topic`)
  await commit('main')
  const received = await receiver.until(2)
  expect(received).toHaveLength(2)
  for (const one of received) {
    expect(one).toMatchObject({
      method: 'GET',
      path: '/updateAndBuild.action?buildKey=APP-X%261&os_authType=basic',
      text: '',
      headers: { authorization: BASIC },
    })
  }
})

test('Drone gets the payload at the address of the project', async () => {
  const { receiver, commit } = await openServer('drone-ci', (url) => ({
    drone_url: `${url}/`,
    token: 'to ken',
  }))
  await commit('main')
  const [push] = await receiver.until(1)
  expect(push).toMatchObject({
    path: '/hook?owner=ada&name=app&access_token=to%20ken',
    headers: { 'x-gitlab-event': 'Push Hook', 'content-type': 'application/json' },
    body: { object_kind: 'push', ref: 'refs/heads/main' },
  })
})

test('of the tokens of Buildkite, the first is for webhooks', async () => {
  const { services, ok, P } = await openScene()
  await ok(`PUT ${P}/integrations/buildkite`, {
    token: 'we/b:status',
    project_url: 'https://buildkite.com/a/b',
  })
  const hook = await services.database.selectFrom('web_hook').selectAll().executeTakeFirstOrThrow()
  expect(services.secrets.decrypt(hook.url_encrypted)).toBe('https://webhook.buildkite.com/deliver/we%2Fb')
})
