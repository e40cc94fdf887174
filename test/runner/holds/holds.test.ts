import { join } from 'node:path'
import { PassThrough } from 'node:stream'

import { expect, test } from 'vitest'

import { createLogger } from '../../../src/lib/logger.js'
import type { HoldClient } from '../../../src/runner/client/coordinator-client.js'
import { HOLD_DEFAULTS, type HoldSettings } from '../../../src/runner/config/hold-settings.js'
import type { JobEnvironment } from '../../../src/runner/executor/executor.js'
import { isHeldAfter, readAskedHold } from '../../../src/runner/holds/asked-hold.js'
import { Holds } from '../../../src/runner/holds/holds.js'
import { JobJournal } from '../../../src/runner/job/journal/job-journal.js'
import { failedScript, type JobOutcome, SUCCESS } from '../../../src/runner/job/outcome.js'
import { JobLog } from '../../../src/runner/trace/job-log.js'
import { jobPayload } from '../../support/job-payload.js'
import { tempDir } from '../../support/temp-dir.js'

const LOGGER = createLogger('test', 'silent')
const OWNER = {}

interface Scene {
  holds: Holds
  client: HoldClient & { calls: string[] }
  disk: { free: number }
  /** Ends a job and returns its log, whether it is held, its journal, and what was cleaned up. */
  end(id: number, holds?: Holds): Promise<{ log: string; isHeld: boolean; journal: JobJournal }>
  cleaned: number[]
}

async function openScene(settings: Partial<HoldSettings> = {}): Promise<Scene> {
  const directory = await tempDir()
  const disk = { free: 10 * 1024 ** 3 }
  const calls: string[] = []
  const client = {
    calls,
    beginHold: async () => void calls.push('begin') as never,
    waitForHold: async () => 'none' as const,
    changeHold: async () => void calls.push('change'),
    endHold: async () => void calls.push('end'),
    openTerminalSocket: async () => Promise.reject(new Error('none')),
  }
  const options = { dataDir: directory, logger: LOGGER, freeBytes: async () => disk.free }
  const holds = new Holds(options, { ...HOLD_DEFAULTS, ...settings })
  const cleaned: number[] = []
  const end = async (id: number, by = holds) => {
    const payload = jobPayload({ id })
    const journal = await JobJournal.begin(join(directory, String(id)), {
      url: 'http://127.0.0.1',
      runner: 'tester',
      tokenDigest: '',
      payload,
      concurrentId: 0,
      concurrentProjectId: 0,
      receivedAt: Date.now(),
    })
    await journal.finish(failedScript(1))
    const output = new PassThrough()
    const isHeld = await by.forRegistration(OWNER, client).begin({
      journal,
      outcome: failedScript(1),
      environment: heldEnvironment(),
      values: new Map([['SWITCHYARD_HOLD', 'failure']]),
      log: new JobLog(output),
      writeScript: async () => {},
      cleanUp: async () => void cleaned.push(id),
    })
    await journal.markDelivered()
    return { log: String(output.read() ?? ''), isHeld, journal }
  }
  return { holds, client, disk, end, cleaned }
}

function heldEnvironment(): JobEnvironment {
  const refuse = async () => Promise.reject(new Error('no script runs'))
  return {
    owner: undefined,
    record: {},
    interior: { name: 'here', hold: async () => {}, shell: refuse, endShells: async () => {} },
    open: () => {},
    run: refuse,
    resume: refuse,
    cleanUp: async () => {},
  }
}

test('no more jobs are held than allowed, and one that ends makes room', async () => {
  const { holds, end, cleaned } = await openScene({ maxJobs: 1 })
  expect((await end(1)).isHeld).toBe(true)
  const second = await end(2)
  expect(second.isHeld).toBe(false)
  expect(second.log).toContain('this runner already holds 1 (max_jobs in [hold]')
  await holds.find(1)[0]?.end('administrator')
  expect(cleaned).toEqual([1])
  expect((await end(3)).isHeld).toBe(true)
  await holds.close()
  expect(cleaned).toEqual([1, 3])
  expect((await end(4)).log).toContain('the runner stops')
})

test('a full disk holds no job, and ends the oldest hold', async () => {
  const { holds, disk, end, cleaned } = await openScene({ maxJobs: 5 })
  await end(1)
  await end(2)
  disk.free = 1024
  expect((await end(3)).log).toContain('has only 1 KiB left, and needs 1 GiB (min_free_disk in [hold])')
  await holds.checkDisk()
  expect(cleaned).toEqual([1])
  await holds.close()
})

test('a hold is not extended beyond its latest time', async () => {
  const { holds, end } = await openScene({ seconds: 60, maxSeconds: 120 })
  const { journal } = await end(1)
  const [held] = holds.find(1)
  await held?.extendTo(Date.now() + 3_600_000)
  expect(journal.hold?.until).toBe(journal.hold?.latest)
  await holds.close()
})

test('a hold that is left keeps its journal, and one that ends removes it', async () => {
  const { holds, end, cleaned } = await openScene()
  const { journal } = await end(1)
  await holds.leave()
  expect(cleaned).toEqual([])
  expect(journal.hold).toBeDefined()
  const next = await openScene()
  await next.end(2)
  const folder = next.holds.find(2)[0]?.journal.traceFile ?? ''
  await next.holds.close()
  expect(await JobJournal.load(join(folder, '..'))).toBeUndefined()
})

const stopped = (kind: 'timeout' | 'script-timeout'): JobOutcome => ({
  kind: 'stopped',
  stop: { kind, seconds: 1 },
})

test.each<[string, JobOutcome, boolean, boolean]>([
  ['success', SUCCESS, false, true],
  ['failure', failedScript(1), true, true],
  ['timeout', stopped('timeout'), true, true],
  ['timeout of the script', stopped('script-timeout'), true, true],
  ['cancellation', { kind: 'stopped', stop: { kind: 'canceled' } }, false, false],
  ['abort', { kind: 'stopped', stop: { kind: 'aborted' } }, false, false],
  ['interruption', { kind: 'stopped', stop: { kind: 'interrupted', by: 'x' } }, false, false],
  ['system failure', { kind: 'system-failure', error: new Error('x') }, false, false],
])('after %s', (_name, outcome, afterFailure, always) => {
  expect(isHeldAfter({ after: 'failure', seconds: undefined }, outcome)).toBe(afterFailure)
  expect(isHeldAfter({ after: 'always', seconds: undefined }, outcome)).toBe(always)
})

test.each<[Record<string, string>, ReturnType<typeof readAskedHold>, string[]]>([
  [{}, undefined, []],
  [{ SWITCHYARD_HOLD: 'never' }, undefined, []],
  [{ SWITCHYARD_HOLD: 'always', SWITCHYARD_HOLD_TIME: '5m' }, { after: 'always', seconds: 300 }, []],
  [
    { SWITCHYARD_HOLD: 'failure', SWITCHYARD_HOLD_TIME: '9h' },
    { after: 'failure', seconds: 3600 },
    ['SWITCHYARD_HOLD_TIME: 9h is longer than the limit of the runner, which applies'],
  ],
  [
    { SWITCHYARD_HOLD: 'failure', SWITCHYARD_HOLD_TIME: 'long' },
    { after: 'failure', seconds: undefined },
    ['SWITCHYARD_HOLD_TIME: "long" is not a duration such as 30m and is ignored'],
  ],
])('the variables %j', (values, expected, warnings) => {
  const said: string[] = []
  expect(readAskedHold(new Map(Object.entries(values)), 3600, (text) => said.push(text))).toEqual(expected)
  expect(said).toEqual(warnings)
})
