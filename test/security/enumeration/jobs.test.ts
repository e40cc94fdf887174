import { expect, test } from 'vitest'

import { cancelJob } from '../../../src/coordinator/ci/engine/retry/cancel.js'
import { jobNamed, pushPipeline, startCiCoordinator } from '../../coordinator/support/ci-coordinator.js'
import { RunnerClient } from '../../coordinator/support/runner-client.js'
import { openForFile } from '../../support/lifetime.js'

/** Every call of a runner about one job: method, path below the job, and what the body is when there is one. */
const CALLS = [
  ['PUT', '', '{"state":"running"}', 'application/json'],
  ['PATCH', '/trace', 'hello', 'text/plain'],
  ['GET', '/signals', undefined, undefined],
  ['POST', '/artifacts/authorize', '{}', 'application/json'],
  ['POST', '/artifacts', 'bytes', 'application/octet-stream'],
  ['GET', '/artifacts', undefined, undefined],
  ['GET', '/artifacts/uploads/archive', undefined, undefined],
  ['PATCH', '/artifacts/uploads/archive', 'bytes', 'application/octet-stream'],
  [
    ...(['POST', '/artifacts/uploads/archive'] as const),
    JSON.stringify({ filename: 'a.zip', size: 1, sha256: 'a'.repeat(64) }),
    'application/json',
  ],
  ['GET', '/cache?key=a', undefined, undefined],
  ['PUT', '/cache?key=a', 'bytes', 'application/octet-stream'],
] as const

const UNKNOWN_JOB = 999_999

const jobs = openForFile(startJobs)

async function startJobs() {
  const coordinator = await startCiCoordinator()
  const runner = await RunnerClient.register(coordinator)
  await pushPipeline(coordinator, 'ended: { script: [make] }')
  const ended = await runner.takeJob()
  await cancelJob(coordinator.engine, await jobNamed(coordinator, 'ended'))
  await pushPipeline(coordinator, 'running: { script: [make] }')
  const running = await runner.takeJob()
  await pushPipeline(coordinator, 'pending: { script: [make] }')
  const pending = await jobNamed(coordinator, 'pending')
  return { coordinator, runner, ended, running, pending }
}

test.each(CALLS)(
  '%s /jobs/:id%s without the token of the job responds as for a job that does not exist',
  async (method, path, body, contentType) => {
    const { coordinator, runner, ended, running, pending } = jobs()
    const responseOf = async (id: number, token: string | undefined) => {
      const response = await fetch(`${coordinator.url}/jobs/${id}${path}`, {
        method,
        ...(body !== undefined && { body }),
        headers: {
          ...(contentType && { 'content-type': contentType }),
          ...(token !== undefined && { 'job-token': token }),
        },
      })
      const headers = [...response.headers].filter(([name]) => !/^(date|x-request-id|x-runtime)$/.test(name))
      return { status: response.status, headers, text: await response.text() }
    }
    for (const token of [undefined, 'glcbt-wrong', runner.token]) {
      const unknown = await responseOf(UNKNOWN_JOB, token)
      expect(unknown.status).toBeGreaterThanOrEqual(401)
      expect(JSON.stringify(unknown)).not.toMatch(/job-status/i)
      for (const { id } of [ended, running, pending]) expect(await responseOf(id, token)).toEqual(unknown)
    }
  },
)

test('the token of another job does not tell the status of an ended job', async () => {
  const { runner, ended, running } = jobs()
  const response = await runner.update({ id: ended.id, token: running.token }, 'running')
  expect([response.status, response.headers.get('job-status')]).toEqual([403, null])
})

test('the token of a job tells how that job ended, and gives no other right', async () => {
  const { coordinator, runner, ended } = jobs()
  const update = await runner.update(ended, 'success')
  expect([update.status, update.headers.get('job-status')]).toEqual([403, 'canceled'])
  const patch = await runner.patch(ended, '0-4', 'hello')
  expect([patch.status, patch.headers.get('job-status')]).toEqual([403, 'canceled'])
  const caller = await fetch(`${coordinator.url}/job`, { headers: { 'job-token': ended.token } })
  expect(caller.status).toBe(401)
})
