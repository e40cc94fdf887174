import { join } from 'node:path'

import { describe, expect, onTestFinished, test } from 'vitest'

import { deferred } from '../../../src/lib/deferred.js'
import { createLogger } from '../../../src/lib/logger.js'
import { CoordinatorClient } from '../../../src/runner/client/coordinator-client.js'
import { TraceBuffer } from '../../../src/runner/trace/trace-buffer.js'
import { TraceSender } from '../../../src/runner/trace/trace-sender.js'
import { MisbehavingCoordinator, type Misbehaviour } from '../../support/misbehaving-coordinator.js'
import { tempDir } from '../../support/temp-dir.js'

const JOB = { id: 124, token: 'job-token' }

/** The sender of one job, against a coordinator that wishes the interval, in seconds. */
async function openSender(interval = 900, heartbeatInterval?: number) {
  const coordinator = await MisbehavingCoordinator.start()
  coordinator.traceInterval = interval
  const client = new CoordinatorClient({ url: coordinator.url, token: 'glrt-x', systemId: 's_0123456789ab' })
  const rules = { secrets: [], tokenPrefixes: [], limit: 2 ** 30 }
  const trace = await TraceBuffer.create(join(await tempDir(), 'trace.log'), rules)
  const heard: string[] = []
  const canceled = deferred()
  const sender = new TraceSender({
    client,
    job: JOB,
    trace,
    isDebug: false,
    logger: createLogger('test', 'silent'),
    heartbeatInterval,
    onCancel: () => canceled.resolve(),
    onAbort: () => heard.push('abort'),
  })
  onTestFinished(async () => {
    await sender.stop()
    await trace.close()
    await client.destroy()
    await coordinator.stop()
  })
  const arrived = (text: string) => coordinator.until(() => coordinator.trace(JOB.id) === text)
  const offsets = () =>
    coordinator.callsOf('trace').map((call) => parseInt(String(call.headers['content-range'])))
  return {
    coordinator,
    trace,
    sender,
    heard,
    canceled: canceled.promise,
    arrived,
    offsets,
    write: (text: string) => trace.output.write(text),
  }
}

describe('trace updates while a job runs', () => {
  test('occasional output is sent at once, for any interval', async () => {
    const { sender, write, arrived } = await openSender()
    sender.start()
    let text = ''
    for (const line of ['one\n', 'two\n', 'three\n', 'four\n', 'five\n']) {
      text += line
      write(line)
      await arrived(text)
    }
  })

  test('output over the size of a patch follows at once', async () => {
    const { coordinator, sender, write, arrived } = await openSender()
    sender.start()
    const text = 'x'.repeat(3 * 1024 * 1024)
    write(text)
    await arrived(text)
    expect(coordinator.callsOf('trace').map((call) => call.body.length)).toHaveLength(3)
  })

  test.each<[string, Misbehaviour[]]>([
    ['cut before it was read', ['cut', 'cut']],
    ['cut after it was read', ['done-then-cut', 'done-then-cut']],
    ['returned 429', [{ status: 429, headers: { 'retry-after': '0' } }]],
    ['returned 500', [{ status: 500 }, { status: 503 }]],
    ['returned 400', [{ status: 400 }]],
    ['returned 404', [{ status: 404 }]],
  ])('a patch that is %s is repaired', async (_name, what) => {
    const { coordinator, sender, write, arrived } = await openSender(1)
    coordinator.misbehave('trace', ...what)
    sender.start()
    write('one\n')
    await arrived('one\n')
    write('two\n')
    await arrived('one\ntwo\n')
  })

  test('a coordinator that lost bytes gets them again', async () => {
    const { coordinator, sender, write, arrived, offsets } = await openSender(1)
    sender.start()
    write('one\n')
    await arrived('one\n')
    coordinator.traces.set(JOB.id, Buffer.from('on'))
    write('two\n')
    await arrived('one\ntwo\n')
    expect(offsets()).toEqual([0, 4, 2])
  })

  test('a coordinator that claims more bytes gets the following ones', async () => {
    const { coordinator, sender, write, offsets } = await openSender(1)
    coordinator.misbehave('trace', { status: 416, headers: { range: '0-4000' } })
    sender.start()
    write('one\n')
    await coordinator.until(() => offsets().length === 1)
    write('two\n')
    // It does not have them, and says so: everything comes.
    await coordinator.until(() => coordinator.trace(JOB.id) === 'one\ntwo\n')
  })

  test('output that waits is sent soon when somebody reads the log', async () => {
    const { coordinator, sender, write, arrived } = await openSender()
    sender.start()
    let text = ''
    // As many as follow each other quickly, and one more.
    for (let count = 0; count < 11; count++) {
      // The last response must not change the interval after the reader did.
      if (count === 10) coordinator.traceInterval = undefined
      write(`${count}\n`)
      text += `${count}\n`
      await arrived(text)
    }
    write('waits\n')
    expect(sender.isWatched).toBe(false)
    sender.applySignals({ status: 200, jobStatus: 'running', traceInterval: 0.2 })
    expect([sender.isWatched, sender.updateInterval]).toEqual([true, 200])
    await arrived(`${text}waits\n`)
    expect(coordinator.callsOf('trace')).toHaveLength(12)
  })

  test('the interval of a log that is read takes precedence, and is left again', async () => {
    const { coordinator, sender, write, arrived } = await openSender(3)
    coordinator.watch()
    sender.start()
    write('one\n')
    await arrived('one\n')
    await expect.poll(() => sender.updateInterval).toBe(200)
    coordinator.unwatch()
    write('two\n')
    await arrived('one\ntwo\n')
    await expect.poll(() => sender.updateInterval).toBe(3000)
  })

  test('heartbeats are sent between patches', async () => {
    const { coordinator, sender, write, canceled } = await openSender(900, 200)
    sender.start()
    // As many as follow each other quickly, then one that waits for the interval.
    for (let count = 0; count <= 11; count++) {
      write(`${count}\n`)
      if (count < 11) await coordinator.until(() => coordinator.trace(JOB.id).endsWith(`${count}\n`))
    }
    coordinator.jobStatus.set(JOB.id, 'canceling')
    await canceled
    expect(coordinator.trace(JOB.id)).not.toContain('11\n')
  })
})

describe('trace updates at the end of a job', () => {
  test('send the rest at once, for any interval', async () => {
    const { coordinator, trace, sender, write } = await openSender()
    sender.start()
    for (let count = 0; count < 200; count++) write(`line ${count}\n`)
    await trace.end()
    await sender.stop()
    expect(await sender.sendRest()).toBe('complete')
    expect(coordinator.trace(JOB.id)).toBe(Array.from({ length: 200 }, (_, i) => `line ${i}\n`).join(''))
  })

  test('send everything again to a coordinator with other content', async () => {
    const { coordinator, trace, sender, write, offsets } = await openSender()
    write('one\ntwo\n')
    await trace.end()
    expect(await sender.sendRest()).toBe('complete')
    coordinator.traces.set(JOB.id, Buffer.alloc(0))
    sender.rewind()
    expect(await sender.sendRest()).toBe('complete')
    expect(coordinator.trace(JOB.id)).toBe('one\ntwo\n')
    expect(offsets()).toEqual([0, 0])
  })

  test('stop after a rejection, and continue after a network failure', async () => {
    const { coordinator, trace, sender, write, heard } = await openSender()
    write('one\n')
    await trace.end()
    coordinator.misbehave(
      'trace',
      'cut',
      { status: 404 },
      { status: 403, headers: { 'job-status': 'canceled' } },
    )
    expect(await sender.sendRest()).toBe('failed')
    expect(await sender.sendRest()).toBe('abandoned')
    expect(await sender.sendRest()).toBe('abandoned')
    expect(heard).toEqual(['abort'])
  })
})
