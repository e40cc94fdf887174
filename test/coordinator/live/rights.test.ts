import { get, request } from 'node:http'

import { expect, test } from 'vitest'

import type { Caller } from '../../../src/coordinator/access/caller.js'
import { STREAMS_PER_CALLER } from '../../../src/coordinator/live/operations.js'
import { accessToTopic } from '../../../src/coordinator/live/topic-access.js'
import { openSqlite } from '../../support/databases.js'
import { testAtNight } from '../../support/nightly.js'
import { openBrowser } from '../support/browser.js'
import { type CiCoordinator, jobNamed, pushPipeline, startCiCoordinator } from '../support/ci-coordinator.js'
import { LiveClient } from '../support/live-client.js'
import { addMember } from '../support/project-team.js'
import { RunnerClient } from '../support/runner-client.js'
import { addPerson, type Person } from '../support/test-app.js'

const ONE_JOB = 'build: { script: [make] }'
const SOON = { liveTimes: { check: 20 } }

async function removeMember({ database }: CiCoordinator, { id }: Person): Promise<void> {
  await database.deleteFrom('member').where('user_id', '=', id).execute()
}

function statusOf({ app }: CiCoordinator, topics: string, as?: Person): Promise<number> {
  return app.call(as, `GET /live?topics=${encodeURIComponent(topics)}`).then(({ statusCode }) => statusCode)
}

test('a stream without any topic that the caller may read is refused', async () => {
  const coordinator = await startCiCoordinator()
  const { project } = coordinator
  const { id } = await pushPipeline(coordinator, ONE_JOB)
  const job = await jobNamed(coordinator, 'build')
  const [guest, reporter] = [
    await addMember(coordinator, 'gus', 10),
    await addMember(coordinator, 'rita', 20),
  ]
  await coordinator.database.updateTable('project').set({ public_jobs: false }).execute()
  const of = (as?: Person) =>
    Promise.all(
      [`project/${project.id}`, `pipeline/${id}`, `job/${job.id}`, `trace/${job.id}/0`].map((topic) =>
        statusOf(coordinator, topic, as),
      ),
    )
  expect(await of()).toEqual([404, 404, 404, 404])
  expect(await of(await addPerson(coordinator.database, 'sam'))).toEqual([404, 404, 404, 404])
  expect(await of(guest)).toEqual([403, 403, 403, 403])
  const runners = ['me', 'runners', `runners/project/${project.id}`, `runners/group/${project.namespace_id}`]
  const ofRunners = (as?: Person) => Promise.all(runners.map((topic) => statusOf(coordinator, topic, as)))
  expect(await ofRunners()).toEqual([401, 401, 401, 401])
  // Only the topic `me` is granted, with which the stream would begin.
  expect(await Promise.all(runners.slice(1).map((topic) => statusOf(coordinator, topic, reporter)))).toEqual([
    403, 403, 404,
  ])
  expect(await statusOf(coordinator, `project/99,pipeline/99`, coordinator.admin)).toBe(404)
})

test('everybody follows the pipelines of a public project', async () => {
  const coordinator = await startCiCoordinator()
  const { database, project } = coordinator
  await database.updateTable('project').set({ visibility: 'public' }).execute()
  const client = await LiveClient.open(coordinator, { topics: `project/${project.id}` })
  const { id } = await pushPipeline(coordinator, ONE_JOB)
  expect((await client.next('pipeline')).data.id).toBe(id)
})

test('a member who is removed loses the topics of the project, and the last one ends the stream', async () => {
  const coordinator = await startCiCoordinator({}, openSqlite, SOON)
  const { project } = coordinator
  const rita = await addMember(coordinator, 'rita', 20)
  const client = await LiveClient.open(coordinator, { as: rita, topics: `me,project/${project.id}` })
  await client.next('hello')
  await removeMember(coordinator, rita)
  expect((await client.next('refused')).data).toEqual({
    topics: [{ topic: `project/${project.id}`, status: 404 }],
  })
  expect(client.hasEnded).toBe(false)
  const other = await addMember(coordinator, 'rolf', 20)
  const alone = await LiveClient.open(coordinator, { as: other, topics: `project/${project.id}` })
  await removeMember(coordinator, other)
  await alone.end()
})

test('a stream whose token is revoked ends', async () => {
  const coordinator = await startCiCoordinator({}, openSqlite, SOON)
  const { database, admin } = coordinator
  const client = await LiveClient.open(coordinator, { as: admin, topics: 'me' })
  await client.next('hello')
  await database.updateTable('personal_access_token').set({ revoked: true }).execute()
  await client.end()
})

test('a browser session opens a stream, which ends with the session', async () => {
  const coordinator = await startCiCoordinator({}, openSqlite, SOON)
  const { database, admin, project } = coordinator
  const { headers, sessionId } = await openBrowser(database, admin)
  const client = await LiveClient.open(coordinator, { headers, topics: `me,project/${project.id}` })
  await pushPipeline(coordinator, ONE_JOB)
  await client.next('pipeline')
  await database.deleteFrom('web_session').where('id', '=', sessionId).execute()
  await client.end()
})

test('a log that shows every variable ends for reporters before its first byte', async () => {
  const coordinator = await startCiCoordinator()
  const runner = await RunnerClient.register(coordinator)
  await pushPipeline(coordinator, ONE_JOB)
  const job = await runner.takeJob()
  const [reporter, developer] = [
    await addMember(coordinator, 'rita', 20),
    await addMember(coordinator, 'dora', 30),
  ]
  const topics = `trace/${job.id}/0`
  const refused = await LiveClient.open(coordinator, { as: reporter, topics })
  const allowed = await LiveClient.open(coordinator, { as: developer, topics })
  await runner.patch(job, '0-4', 'plain')
  await refused.next('trace', ({ offset, bytes }) => offset + bytes >= 4)
  await runner.patch(job, '5-10', 'secret', true)
  await refused.end()
  expect(refused.events.at(-1)).toMatchObject({
    name: 'refused',
    data: { topics: [{ topic: `trace/${job.id}`, status: 403 }] },
  })
  expect(JSON.stringify(refused.events)).not.toContain('secret')
  await allowed.next('trace', ({ text }) => text?.includes('secret') ?? false)
  expect(await statusOf(coordinator, topics, reporter)).toBe(403)
})

test('a developer who becomes a reporter does not read a log that shows every variable afterwards', async () => {
  const coordinator = await startCiCoordinator()
  const runner = await RunnerClient.register(coordinator)
  await pushPipeline(coordinator, ONE_JOB)
  const { id } = await runner.takeJob()
  const dora = await addMember(coordinator, 'dora', 30)
  const deps = {
    database: coordinator.database,
    findProject: async () => coordinator.project,
    groups: { find: async () => undefined, membershipOf: async () => 0 },
    projectAccessOf: async () => ({ membership: level, ownsNamespace: false }),
  }
  let level = 30
  const caller: Caller = { kind: 'user', user: dora, scopes: ['api'], tokenId: undefined }
  const access = () => accessToTopic(deps, { kind: 'trace', id, offset: 0 }, caller)
  expect(await access()).toMatchObject({ log: { readsDebugLogs: true } })
  level = 20
  expect(await access()).toMatchObject({ log: { readsDebugLogs: false } })
})

testAtNight('a user has a limited number of streams, and a stream that ends makes room', async () => {
  const coordinator = await startCiCoordinator()
  const { admin, metrics } = coordinator
  const open = () => LiveClient.open(coordinator, { as: admin, topics: 'me' })
  const clients = await Promise.all(Array.from({ length: STREAMS_PER_CALLER }, open))
  await expect(open()).rejects.toThrow('429')
  expect(await metrics.getSingleMetricAsString('switchyard_live_streams')).toContain(
    `switchyard_live_streams ${STREAMS_PER_CALLER}`,
  )
  const other = await addPerson(coordinator.database, 'other')
  await LiveClient.open(coordinator, { as: other, topics: 'me' })
  clients[0]?.close()
  await expect.poll(open).toBeInstanceOf(LiveClient)
})

test('a client that leaves before its stream has begun leaves nothing behind', async () => {
  const { url, admin, metrics } = await startCiCoordinator()
  const headers = { 'private-token': admin.token }
  await Promise.all(
    Array.from({ length: 20 }, async (_element, index) => {
      const asked = get(`${url}/live?topics=me`, { agent: false, headers })
      asked.once('error', () => undefined)
      // Some have not sent their request yet, others are being served.
      asked.once('socket', (socket) => socket.once('connect', () => setTimeout(() => asked.destroy(), index)))
      await new Promise((resolve) => asked.once('close', resolve))
    }),
  )
  await LiveClient.open({ url }, { as: admin, topics: 'me' })
  await expect
    .poll(() => metrics.getSingleMetricAsString('switchyard_live_streams'))
    .toContain('switchyard_live_streams 1')
})

test('HEAD is served like GET, without a stream', async () => {
  const coordinator = await startCiCoordinator()
  const response = await new Promise<number | undefined>((resolve) => {
    request(
      `${coordinator.url}/live?topics=me`,
      { method: 'HEAD', agent: false, headers: { 'private-token': coordinator.admin.token } },
      ({ statusCode }) => resolve(statusCode),
    ).end()
  })
  expect(response).toBe(200)
  await expect
    .poll(() => coordinator.metrics.getSingleMetricAsString('switchyard_live_streams'))
    .toContain('switchyard_live_streams 0')
})
