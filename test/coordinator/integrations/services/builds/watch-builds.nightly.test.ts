import { expect, test } from 'vitest'

import { Fields } from '../../../../../src/coordinator/integrations/services/fields.js'
import { listCiOperations } from '../../../../../src/coordinator/start/operations/ci.js'
import { describeOnDatabase, type OpenDatabase } from '../../../../support/databases.js'
import { onFinished } from '../../../../support/lifetime.js'
import { HookReceiver } from '../../../ci/signals/hook-receiver.js'
import { setSettings } from '../../../support/set-settings.js'
import { type Body, openScene } from '../scene.js'

const DAY = 24 * 3600 * 1000

/** For how long a build is claimed while its server is asked, in milliseconds. */
const LEASE = 60_000
const SHA = 'f'.repeat(40)
const SOON = { interval: 5 }

/** A project that is built at TeamCity, which responds with `builds`. The local network is allowed by a setting. */
async function openTeamcity(open?: OpenDatabase) {
  const scene = await openScene(open, {
    settings: { egress: { allowLocalNetwork: false } },
    operations: (services, deps) => listCiOperations(services, deps),
  })
  await setSettings(scene.services, { allow_local_requests_from_web_hooks_and_services: true })
  const { services, ok, P } = scene
  const { database } = services
  const server = await HookReceiver.start()
  const reply: { builds: object[]; status: number } = { builds: [], status: 200 }
  server.respond = (response, { method }) => {
    response.statusCode = reply.status
    response.end(method === 'GET' ? JSON.stringify({ count: reply.builds.length, build: reply.builds }) : '')
  }
  const account = { username: 'ci', password: 'p' }
  const settings = { teamcity_url: server.url, build_type: 'App', ...account }
  await ok(`PUT ${P}/integrations/teamcity`, settings)
  scene.deliver()
  const stopping = new AbortController()
  const running = services.builds.run(stopping.signal)
  onFinished(async () => {
    stopping.abort()
    await running
  })
  const questions = () => server.received.filter(({ method }) => method === 'GET').length
  const rows = () => database.selectFrom('external_build').selectAll().execute()
  /** Asks now instead of later, and waits until the response is processed. */
  const ask = async (state?: string, status?: string): Promise<void> => {
    reply.builds = state === undefined ? [] : [{ id: 5, state, status }]
    const before = Date.now()
    await database
      .updateTable('external_build')
      .set({ due_at: before - 1 })
      .execute()
    services.builds.schedule(0)
    const isAsked = ({ due_at }: { due_at: number }) =>
      due_at >= before && Math.abs(due_at - before - LEASE) > LEASE / 10
    await expect.poll(async () => (await rows()).every(isAsked), SOON).toBe(true)
  }
  const push = async (branch = 'main') => {
    const file = {
      branch,
      content: 'x',
      commit_message: 'Add',
      ...(branch !== 'main' && { start_branch: 'main' }),
    }
    await ok(`POST ${P}/repository/files/${branch}.txt`, file)
    await expect.poll(async () => (await rows()).length, SOON).toBe(1)
    const { commit } = (await ok(`GET ${P}/repository/branches/${branch}`)) as { commit: { id: string } }
    return commit.id
  }
  const statuses = async (sha: string) =>
    (await ok(`GET ${P}/repository/commits/${sha}/statuses`)) as unknown as Body[]
  return { ...scene, database, server, reply, questions, rows, ask, push, statuses }
}

describeOnDatabase('builds of CI servers', (open) => {
  test('become statuses of their commits, until they end', async () => {
    const { ask, push, statuses, rows, server, ok, P } = await openTeamcity(open)
    const sha = await push('topic')
    await ask()
    expect(await statuses(sha)).toEqual([])
    await ask('queued')
    expect(await statuses(sha)).toMatchObject([{ status: 'pending', ref: 'topic', name: 'teamcity' }])
    await ask('running', 'SUCCESS')
    await ask('running', 'SUCCESS')
    expect(await statuses(sha)).toMatchObject([
      {
        status: 'running',
        target_url: `${server.url}/viewLog.html?buildId=5`,
        author: { username: 'ada' },
      },
    ])
    await ask('finished', 'FAILURE')
    expect(await statuses(sha)).toMatchObject([{ status: 'failed' }])
    expect(await rows()).toEqual([])
    expect(await ok(`GET ${P}/pipelines?sha=${sha}`)).toMatchObject([
      { source: 'external', status: 'failed' },
    ])
    expect(server.received.find(({ method }) => method === 'GET')?.path).toContain(
      encodeURIComponent(`revision:(version:${sha})`),
    )
  })

  test('are asked for less often the older they are, and no longer than a day', async () => {
    const { ask, push, statuses, rows, database } = await openTeamcity(open)
    const sha = await push()
    const age = (milliseconds: number) =>
      database
        .updateTable('external_build')
        .set({ created_at: Date.now() - milliseconds })
        .execute()
    const delay = async () => Math.round(((await rows())[0]?.due_at ?? 0) / 1000 - Date.now() / 1000)
    await ask('queued')
    expect(await delay()).toBeLessThanOrEqual(30)
    await age(DAY / 2)
    await ask('queued')
    expect(await delay()).toBeGreaterThan(590)
    await age(DAY)
    await ask('queued')
    expect(await rows()).toEqual([])
    expect(await statuses(sha)).toMatchObject([
      { status: 'canceled', description: 'The CI server has given no result within a day' },
    ])
  })
})

test('a CI server without a response is asked again, and one of a deleted integration is not', async () => {
  const { ask, push, statuses, rows, reply, questions, ok, call, P } = await openTeamcity()
  const sha = await push()
  reply.status = 500
  await ask('finished', 'SUCCESS')
  expect([await statuses(sha), questions()]).toEqual([[], 1])
  expect(await rows()).toHaveLength(1)
  reply.status = 200
  await ok(`PUT ${P}/integrations/teamcity`, { active: false })
  await ask('finished', 'SUCCESS')
  expect([await rows(), questions()]).toEqual([[], 1])
  await ok(`PUT ${P}/integrations/teamcity`, { active: true })
  await push('other')
  expect(await call(`DELETE ${P}/integrations/teamcity`)).toEqual([204, {}])
  expect(await rows()).toEqual([])
})

test('a CI server of the local network is not asked once that is forbidden', async () => {
  const { ask, push, rows, questions, services } = await openTeamcity()
  await push()
  await setSettings(services, { allow_local_requests_from_web_hooks_and_services: false })
  await ask('finished', 'SUCCESS')
  expect(questions()).toBe(0)
  expect(await rows()).toHaveLength(1)
})

test('an integration has at most fifty builds, the newest ones', async () => {
  const { services, ada, database, rows } = await openTeamcity()
  const integration = await database.selectFrom('integration').selectAll().executeTakeFirstOrThrow()
  for (let at = 0; at < 52; at += 1) {
    const checkout_sha = String(at).padStart(40, '0')
    await services.builds.watch(
      integration,
      new Fields({ object_kind: 'push', ref: 'refs/heads/main', checkout_sha, user_id: ada.id }),
    )
  }
  const nobody = { object_kind: 'push', ref: 'refs/heads/main', checkout_sha: SHA, user_id: 999 }
  await services.builds.watch(integration, new Fields(nobody))
  const left = await rows()
  expect([left.length, left[0]?.sha]).toEqual([50, '2'.padStart(40, '0')])
})
