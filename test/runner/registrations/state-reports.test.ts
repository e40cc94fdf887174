import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { createLogger } from '../../../src/lib/logger.js'
import { StateReports } from '../../../src/runner/registrations/state-reports.js'

const INTERVAL = 10_000
const READS = { features: { host_reports: true } }

// Not `performance`: timers of earlier files in this worker read it.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }))
afterEach(() => void vi.useRealTimers())

/** A client whose state is a number, and which knows the one that was sent last. */
class Client {
  state = 0
  sent: number | undefined = 0
  fails = false
  readonly reports: number[] = []

  get hasUnreportedState(): boolean {
    return this.state !== this.sent
  }

  async reportState(): Promise<void> {
    this.sent = undefined
    if (this.fails) throw new Error('away')
    this.sent = this.state
    this.reports.push(this.state)
  }
}

function open(): { client: Client; reports: StateReports; end: () => Promise<void> } {
  const client = new Client()
  const logger = createLogger('test', 'silent')
  const reports = new StateReports({ client: () => client, interval: INTERVAL, logger: () => logger })
  const stop = new AbortController()
  const ended = reports.run(stop.signal)
  const end = async () => {
    stop.abort()
    await ended
  }
  return { client, reports, end }
}

function change(reports: StateReports, client: Client): void {
  client.state++
  reports.changed()
}

test('changes that no request for a job reported are reported together', async () => {
  const { client, reports, end } = open()
  reports.jobReceived(READS)
  change(reports, client)
  change(reports, client)
  await vi.advanceTimersByTimeAsync(INTERVAL - 1)
  expect(client.reports).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(client.reports).toEqual([2])
  // One that comes after the report, and before the pause is over.
  change(reports, client)
  await vi.advanceTimersByTimeAsync(INTERVAL)
  expect(client.reports).toEqual([2, 3])
  await vi.advanceTimersByTimeAsync(10 * INTERVAL)
  expect(client.reports).toEqual([2, 3])
  await end()
})

test('what a request for a job has reported is not reported again', async () => {
  const { client, reports, end } = open()
  reports.jobReceived(READS)
  change(reports, client)
  client.sent = client.state
  await vi.advanceTimersByTimeAsync(10 * INTERVAL)
  expect(client.reports).toEqual([])
  await end()
})

test('a report that fails is made again', async () => {
  const { client, reports, end } = open()
  reports.jobReceived(READS)
  client.fails = true
  change(reports, client)
  await vi.advanceTimersByTimeAsync(2 * INTERVAL)
  client.fails = false
  await vi.advanceTimersByTimeAsync(INTERVAL)
  expect(client.reports).toEqual([1])
  await end()
})

test.each([{}, { features: {} }, { features: { job_signals: true } }])(
  'a coordinator whose jobs have %j gets no reports',
  async (job) => {
    const { client, reports, end } = open()
    reports.jobReceived(job)
    change(reports, client)
    await vi.advanceTimersByTimeAsync(10 * INTERVAL)
    expect(client.reports).toEqual([])
    await end()
  },
)
