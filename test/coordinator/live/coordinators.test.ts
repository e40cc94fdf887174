import { expect, test } from 'vitest'

import { openPostgres } from '../../support/databases.js'
import { testAtNight } from '../../support/nightly.js'
import { jobNamed, joinCoordinator, pushPipeline, startCiCoordinator } from '../support/ci-coordinator.js'
import { LiveClient } from '../support/live-client.js'
import { RunnerClient } from '../support/runner-client.js'

test('a stream of one coordinator follows a job whose runner talks to another one', async () => {
  const here = await startCiCoordinator({}, openPostgres)
  const runner = await RunnerClient.register(here)
  const pipeline = await pushPipeline(here, 'build: { script: [make] }')
  const { id } = await jobNamed(here, 'build')
  const there = await joinCoordinator(here)
  const client = await LiveClient.open(there, {
    as: here.admin,
    topics: `pipeline/${pipeline.id},project/${pipeline.project_id},trace/${id}/0`,
  })
  await client.next('hello')
  const job = await runner.takeJob()
  await client.next('jobs', ({ jobs }) => jobs.some(({ status }) => status === 'running'))
  await client.next('pipeline', ({ status }) => status === 'running')
  await runner.patch(job, '0-5', 'first\n')
  expect((await client.next('trace')).data).toMatchObject({ offset: 0, text: 'first\n' })
  await runner.patch(job, '6-12', 'second\n')
  expect((await client.next('trace')).data).toMatchObject({ offset: 6, text: 'second\n' })
  await runner.update(job, 'success')
  await client.next('pipeline', ({ status }) => status === 'success')
  await client.until(() => client.events.some(({ name }) => name === 'trace-end'))
})

testAtNight('the coordinator that takes a log knows that a stream of another one reads it', async () => {
  const here = await startCiCoordinator({}, openPostgres)
  const runner = await RunnerClient.register(here)
  await pushPipeline(here, 'build: { script: [make] }')
  const job = await runner.takeJob()
  const there = await joinCoordinator(here)
  const client = await LiveClient.open(there, { as: here.admin, topics: `trace/${job.id}/0` })
  await client.next('hello')
  const interval = async (range: string) =>
    (await runner.patch(job, range, 'a')).headers.get('x-gitlab-trace-update-interval')
  await interval('0-0')
  await client.next('trace')
  await interval('1-1')
  // It arrives only because this coordinator knows.
  await client.next('trace')
  expect(await interval('2-2')).toBe('1')
})
