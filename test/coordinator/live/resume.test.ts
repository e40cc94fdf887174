import { expect, test } from 'vitest'

import { renamePipeline } from '../../../src/coordinator/ci/engine/pipeline-store.js'
import { openSqlite } from '../../support/databases.js'
import { testAtNight } from '../../support/nightly.js'
import { type CiCoordinator, jobNamed, pushPipeline, startCiCoordinator } from '../support/ci-coordinator.js'
import { LiveClient } from '../support/live-client.js'
import { RunnerClient } from '../support/runner-client.js'

const ONE_JOB = 'build: { script: [make] }'
/** A version that nothing in a test is newer than. */
const LATER = Date.now() + 3_600_000

/** Makes all records look as if they had changed an hour ago. */
async function age({ database }: CiCoordinator): Promise<void> {
  const updated_at = Date.now() - 3_600_000
  for (const table of ['job', 'pipeline', 'project'] as const) {
    await database.updateTable(table).set({ updated_at }).execute()
  }
}

test('a client that returns receives what has changed in between, and the log from its byte on', async () => {
  const coordinator = await startCiCoordinator()
  const { admin } = coordinator
  const runner = await RunnerClient.register(coordinator)
  const pipeline = await pushPipeline(coordinator, 'build: { script: [make] }\nlint: { script: [make] }')
  const job = await runner.takeJob()
  await runner.patch(job, '0-5', 'first\n')
  await age(coordinator)
  const topics = `pipeline/${pipeline.id},trace/${job.id}/0`
  const before = await LiveClient.open(coordinator, { as: admin, topics })
  await before.next('trace')
  before.close()
  expect(before.events.map(({ name }) => name)).toEqual(['hello', 'trace'])
  await runner.patch(job, '6-12', 'second\n')
  await runner.update(job, 'success')
  const after = await LiveClient.open(coordinator, { as: admin, topics, lastEventId: before.lastId })
  const { data: jobs } = await after.next('jobs')
  expect(jobs.jobs.map(({ name, status }) => [name, status])).toEqual([['build', 'success']])
  expect((await after.next('pipeline')).data).toMatchObject({ id: pipeline.id, version: jobs.version })
  const trace = after.events.find(({ name }) => name === 'trace') ?? (await after.next('trace'))
  expect(trace.data).toMatchObject({ offset: 6, text: 'second\n' })
})

testAtNight('the ID of the last event counts before the cursor of the address', async () => {
  const coordinator = await startCiCoordinator()
  const runner = await RunnerClient.register(coordinator)
  await pushPipeline(coordinator, ONE_JOB)
  const job = await runner.takeJob()
  await runner.patch(job, '0-5', 'first\n')
  const client = await LiveClient.open(coordinator, {
    as: coordinator.admin,
    topics: `trace/${job.id}/0`,
    cursor: `t${job.id}=1;other=5;x`,
    lastEventId: `t${job.id}=3`,
  })
  expect((await client.next('trace')).data).toMatchObject({ offset: 3, text: 'st\n' })
})

testAtNight('the cursor 0 asks for a whole pipeline, in several events if it is large', async () => {
  const coordinator = await startCiCoordinator()
  const file = Array.from({ length: 450 }, (_, index) => `job${index}: { script: [x] }`).join('\n')
  const { id } = await pushPipeline(coordinator, file)
  const client = await LiveClient.open(coordinator, {
    as: coordinator.admin,
    topics: `pipeline/${id}`,
    cursor: `p${id}=0`,
  })
  const { id: during } = await client.next('pipeline')
  const parts = client.events.filter(({ name }) => name === 'jobs')
  expect(parts.map(({ data: part }) => ('jobs' in part ? part.jobs.length : 0))).toEqual([200, 200, 50])
  // A client that loses its connection before the end asks for everything again.
  expect(during).toMatch(new RegExp(`^v=\\d+;p${id}=0$`))
  await pushPipeline(coordinator, ONE_JOB)
  await renamePipeline(coordinator.database, id, 'renamed')
  expect((await client.next('pipeline', ({ name }) => name === 'renamed')).id).toMatch(/^v=\d+$/)
})

test('a client that knows the newest version receives nothing but changes', async () => {
  const coordinator = await startCiCoordinator()
  const { project } = coordinator
  const pipeline = await pushPipeline(coordinator, ONE_JOB)
  const job = await jobNamed(coordinator, 'build')
  const client = await LiveClient.open(coordinator, {
    as: coordinator.admin,
    topics: `project/${project.id},pipeline/${pipeline.id},job/${job.id},me,runners`,
    cursor: `l${project.id}=${LATER};p${pipeline.id}=${LATER};j${job.id}=${LATER}`,
  })
  const newer = await pushPipeline(coordinator, ONE_JOB)
  expect((await client.next('pipeline')).data.id).toBe(newer.id)
  expect(client.events.slice(0, 2).map(({ name }) => name)).toEqual(['hello', 'pipeline'])
})

testAtNight('a client that was away for long reads lists again', async () => {
  const coordinator = await startCiCoordinator()
  const { project, admin } = coordinator
  for (let count = 0; count < 31; count++) await pushPipeline(coordinator, ONE_JOB)
  const client = await LiveClient.open(coordinator, {
    as: admin,
    topics: `project/${project.id},me,runners/project/${project.id}`,
    cursor: 'v=1',
  })
  const reset = [await client.next('reset'), await client.next('reset'), await client.next('reset')]
  expect(reset.flatMap(({ data }) => data.topics)).toEqual([
    `project/${project.id}`,
    'me',
    `runners/project/${project.id}`,
  ])
})

testAtNight(
  'a stream ends after its time, with comments in between, and when the coordinator stops',
  async () => {
    const coordinator = await startCiCoordinator({}, openSqlite, { liveTimes: { comment: 5, end: 100 } })
    const client = await LiveClient.open(coordinator, { as: coordinator.admin, topics: 'me' })
    await client.end()
    expect(client.comments).toBeGreaterThan(0)
    const other = await startCiCoordinator()
    const stopped = await LiveClient.open(other, { as: other.admin, topics: 'me' })
    other.stop.abort()
    await stopped.end()
  },
)

testAtNight('bytes that are no text arrive as they are, however they were split', async () => {
  const coordinator = await startCiCoordinator()
  const runner = await RunnerClient.register(coordinator)
  await pushPipeline(coordinator, ONE_JOB)
  const job = await runner.takeJob()
  const client = await LiveClient.open(coordinator, { as: coordinator.admin, topics: `trace/${job.id}/0` })
  const text = Buffer.from('häß €uro 😀 \u0000\u001b[31m red '.repeat(10))
  const log = Buffer.concat([text, Buffer.from([0xff, 0xc3, 0x28]), text, Buffer.from([0xe2, 0x82])])
  for (let from = 0; from < log.length; from += 7) {
    const part = log.subarray(from, from + 7)
    await runner.patch(job, `${from}-${from + part.length - 1}`, part)
  }
  await runner.update(job, 'success')
  await client.next('trace-end')
  const parts = client.events.flatMap(({ data }) => ('offset' in data ? [data] : []))
  const received = parts.map(({ text: some, base64 }) =>
    some === undefined ? Buffer.from(base64 ?? '', 'base64') : Buffer.from(some),
  )
  expect(Buffer.concat(received).equals(log)).toBe(true)
  expect(parts.map(({ bytes }) => bytes)).toEqual(received.map(({ length }) => length))
  expect(parts.filter(({ base64 }) => base64 !== undefined).length).toBeLessThan(4)
})
