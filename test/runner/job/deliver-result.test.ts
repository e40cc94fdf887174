import { join } from 'node:path'

import { expect, test } from 'vitest'

import { createLogger } from '../../../src/lib/logger.js'
import { CoordinatorClient } from '../../../src/runner/client/coordinator-client.js'
import { deliverResult, type Delivery } from '../../../src/runner/job/outcome.js'
import { TraceBuffer } from '../../../src/runner/trace/trace-buffer.js'
import { TraceSender } from '../../../src/runner/trace/trace-sender.js'
import {
  MisbehavingCoordinator,
  type Misbehaviour,
  type Route,
} from '../../support/misbehaving-coordinator.js'
import { tempDir } from '../../support/temp-dir.js'

const JOB = { id: 124, token: 'job-token' }

async function deliver(planned: [Route, ...Misbehaviour[]][], changes: Partial<Delivery> = {}) {
  const coordinator = await MisbehavingCoordinator.start()
  const client = new CoordinatorClient({ url: coordinator.url, token: 'glrt-x', systemId: 's_0123456789ab' })
  const rules = { secrets: [], tokenPrefixes: [], limit: 1000 }
  const trace = await TraceBuffer.create(join(await tempDir(), 'trace.log'), rules)
  const logger = createLogger('test', 'silent')
  const nothing = () => {}
  const options = { client, job: JOB, trace, isDebug: false, logger, onCancel: nothing, onAbort: nothing }
  const sender = new TraceSender(options)
  trace.output.write('all of it\n')
  await trace.end()
  for (const [route, ...what] of planned) coordinator.misbehave(route, ...what)
  const delivered = await deliverResult({
    client,
    job: JOB,
    trace,
    sender,
    update: { state: 'success' },
    tries: 3,
    firstDelay: 1,
    signal: new AbortController().signal,
    logger,
    ...changes,
  })
  await Promise.all([trace.close(), client.close(), coordinator.stop()])
  return { delivered, coordinator }
}

test('the result is sent after the acknowledged trace', async () => {
  const { delivered, coordinator } = await deliver([['trace', 'cut', 'done-then-cut']])
  expect(delivered).toBe('accepted')
  expect(coordinator.calls.map((call) => call.route)).toEqual(['trace', 'trace', 'trace', 'update'])
  expect(coordinator.trace(124)).toBe('all of it\n')
})

test('a coordinator that is not ready is called again after the time that it sends', async () => {
  const later = { status: 202, headers: { 'x-gitlab-trace-update-interval': '1' } }
  const { delivered, coordinator } = await deliver([['update', later]])
  expect(delivered).toBe('accepted')
  expect(coordinator.callsOf('update')).toHaveLength(2)
})

test('a rejected trace is sent again from its beginning', async () => {
  const { delivered, coordinator } = await deliver([['update', { status: 412 }]])
  expect(delivered).toBe('accepted')
  expect(coordinator.callsOf('trace').map((call) => call.headers['content-range'])).toEqual(['0-9', '0-9'])
})

test('a coordinator that accepts no more trace still gets the result', async () => {
  const { delivered, coordinator } = await deliver([
    ['trace', { status: 403 }],
    ['update', { status: 403 }],
  ])
  expect(delivered).toBe('refused')
  expect(coordinator.callsOf('update')).toHaveLength(1)
})

test('attempts are limited', async () => {
  const { delivered, coordinator } = await deliver([['update', 'cut', { status: 400 }, 'cut', 'cut']])
  expect(delivered).toBe('undelivered')
  expect(coordinator.callsOf('update')).toHaveLength(3)
})

test('a process that shuts down does not wait', async () => {
  const { delivered, coordinator } = await deliver([['update', 'cut']], {
    signal: AbortSignal.abort(),
    firstDelay: 600_000,
  })
  expect(delivered).toBe('undelivered')
  expect(coordinator.callsOf('update')).toHaveLength(1)
})
