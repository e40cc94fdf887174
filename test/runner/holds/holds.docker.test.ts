import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import Docker from 'dockerode'
import { expect, onTestFinished, test } from 'vitest'

import { createLogger } from '../../../src/lib/logger.js'
import { HOLD_DEFAULTS, type HoldSettings } from '../../../src/runner/config/hold-settings.js'
import type { RunnerRegistration } from '../../../src/runner/config/settings.js'
import { type Runner, startRunner } from '../../../src/runner/runner.js'
import { busyboxImage } from '../../support/docker-image.js'
import { dockerLeftovers } from '../../support/docker-leftovers.js'
import { jobPayload } from '../../support/job-payload.js'
import { MACHINE_ENGINE } from '../../support/machine-engine.js'
import { MisbehavingCoordinator } from '../../support/misbehaving-coordinator.js'
import { testAtNight } from '../../support/nightly.js'
import { runnerRegistration } from '../../support/running-runner.js'
import { tempDir } from '../../support/temp-dir.js'

interface Scene {
  coordinator: MisbehavingCoordinator
  dataDir: string
  start(hold?: Partial<HoldSettings>): Promise<Runner>
  /** Offers a job and waits for its result. */
  run(id: number, script: string, variables?: Record<string, string>): Promise<void>
  leftovers(): Promise<string[]>
}

async function openScene(
  systemId: string,
  registration: (image: string) => Partial<RunnerRegistration> = (image) => ({ docker: dockerOf(image) }),
): Promise<Scene> {
  const image = await busyboxImage()
  const dataDir = join(await tempDir(), 'data')
  const coordinator = await MisbehavingCoordinator.start()
  onTestFinished(() => coordinator.stop())
  return {
    coordinator,
    dataDir,
    start: async (hold = {}) => {
      const settings = {
        concurrent: 1,
        checkIntervalSeconds: 0.05,
        shutdownTimeoutSeconds: 30,
        logLevel: 'info' as const,
        dataDir,
        systemId,
        blockMetadataAddresses: false,
        hold: { ...HOLD_DEFAULTS, minFreeBytes: 0, ...hold },
        runners: [runnerRegistration(coordinator.url, registration(image))],
      }
      const runner = await startRunner(settings, createLogger('runner', 'silent'))
      onTestFinished(() => runner.stopNow('end of the test'))
      return runner
    },
    run: async (id, script, variables = {}) => {
      const all = { GIT_STRATEGY: 'none', ...variables }
      coordinator.offer(
        jobPayload({
          id,
          token: `token-${id}`,
          variables: Object.entries(all).map(([key, value]) => ({ key, value })),
          steps: [{ name: 'script', script: [script] }],
        }),
      )
      await coordinator.until(() => coordinator.finalUpdate(id) !== undefined)
    },
    leftovers: () => dockerLeftovers([`com.gitlab.gitlab-runner.runner.system_id=${systemId}`]),
  }
}

function dockerOf(image: string) {
  return { image, pullPolicy: ['if-not-present' as const], networkMode: 'none' }
}

/** What a command prints in the container of the only held job. */
async function printed(systemId: string, command: string): Promise<string> {
  const filters = { label: [`com.gitlab.gitlab-runner.runner.system_id=${systemId}`] }
  const docker = new Docker()
  const [container] = await docker.listContainers({ filters })
  const exec = await docker.getContainer(container?.Id ?? '').exec({
    Cmd: ['sh', '-c', command],
    AttachStdout: true,
    Tty: true,
  })
  const stream = await exec.start({ Tty: true })
  const chunks: Buffer[] = []
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

const FAIL = 'echo made >made; echo elsewhere >/elsewhere; exit 7'

test('a failed job is held with its files, the slot is free, and after its end nothing is left', async () => {
  const systemId = 's_holds0000001'
  const { coordinator, start, run, leftovers, dataDir } = await openScene(systemId)
  const runner = await start()
  await run(1, FAIL, { SWITCHYARD_HOLD: 'failure' })
  expect(coordinator.finalUpdate(1)).toMatchObject({ state: 'failed', exit_code: 7 })
  expect(coordinator.trace(1)).toMatch(
    /The job is held until \d{4}-\d\d-\d\d \d\d:\d\d UTC: container \w{12}/,
  )
  await expect.poll(() => runner.holds(), { interval: 20 }).toMatchObject([{ job: 1, runner: 'tester' }])

  // The only slot is free, and the next job has files of its own.
  await run(2, 'ls; test ! -e made')
  expect(coordinator.finalUpdate(2)).toMatchObject({ state: 'success' })
  expect(await printed(systemId, 'cat made /elsewhere')).toBe('made\r\nelsewhere\r\n')
  expect(await printed(systemId, '"$RUNNER_TEMP_PROJECT_DIR/switchyard-step" run')).toMatch(
    /^Running "script" from line 1\. .*\$ echo made.*\nExit code 7\r\n$/s,
  )

  const [held] = runner.holdsOf(1)
  await held?.end('administrator')
  await expect.poll(() => leftovers(), { interval: 50 }).toEqual([])
  expect(runner.holds()).toEqual([])
  expect(await readdir(join(dataDir, 'jobs'))).toEqual([])
})

testAtNight('a runner that is killed keeps its holds, and ends them when their time is over', async () => {
  const systemId = 's_holds0000002'
  const { start, run, leftovers, dataDir } = await openScene(systemId)
  const first = await start()
  await run(1, FAIL, { SWITCHYARD_HOLD: 'failure', SWITCHYARD_HOLD_TIME: '10m' })
  await expect.poll(() => first.holds().length, { interval: 20 }).toBe(1)
  const [before] = first.holds()
  // As a kill: nothing is written any more.
  await first.leave()

  const second = await start()
  await expect.poll(() => second.holds(), { interval: 20 }).toEqual([before])
  expect(await printed(systemId, 'cat made')).toBe('made\r\n')
  await second.holdsOf(1)[0]?.holdUntil(Date.now())
  await expect.poll(() => leftovers(), { interval: 50 }).toEqual([])
  await expect.poll(() => readdir(join(dataDir, 'jobs')), { interval: 50 }).toEqual([])
})

testAtNight('a hold whose time has passed without a runner is removed by the next one', async () => {
  const { start, run, leftovers } = await openScene('s_holds0000003')
  const first = await start()
  await run(1, FAIL, { SWITCHYARD_HOLD: 'always', SWITCHYARD_HOLD_TIME: '2s' })
  await expect.poll(() => first.holds().length, { interval: 20 }).toBe(1)
  const until = first.holds()[0]?.until.getTime() ?? 0
  await first.leave()
  expect(await leftovers()).not.toEqual([])
  await expect.poll(() => Date.now(), { timeout: 5000 }).toBeGreaterThan(until)
  await start()
  await expect.poll(() => leftovers(), { interval: 50 }).toEqual([])
})

testAtNight('the log says why a job is not held', async () => {
  const { coordinator, start, run, leftovers } = await openScene('s_holds0000004')
  const runner = await start({ maxJobs: 1 })
  await run(1, 'echo fine', { SWITCHYARD_HOLD: 'failure' })
  await run(2, 'echo fine', { SWITCHYARD_HOLD: 'always' })
  await expect.poll(() => runner.holds().map(({ job }) => job), { interval: 20 }).toEqual([2])
  await run(3, 'false', { SWITCHYARD_HOLD: 'failure' })
  expect(coordinator.trace(3)).toContain(
    'The job is not held: this runner already holds 1 (max_jobs in [hold]',
  )
  await run(4, 'false', { SWITCHYARD_HOLD: 'sometimes' })
  expect(coordinator.trace(4)).toContain('SWITCHYARD_HOLD: "sometimes" is not one of failure, always, never')
  await runner.stopGracefully()
  expect(await leftovers()).toEqual([])
})

testAtNight('a held job gives its place on a host to the next one', async () => {
  const systemId = 's_holds0000005'
  const { coordinator, start, run, leftovers } = await openScene(systemId, (image) => ({
    executor: 'docker-hosts',
    docker: dockerOf(image),
    dockerHosts: [{ name: 'here', engine: { host: MACHINE_ENGINE }, concurrent: 1, weight: 1 }],
  }))
  const runner = await start()
  await run(1, FAIL, { SWITCHYARD_HOLD: 'failure' })
  expect(coordinator.trace(1)).toMatch(/container \w{12} on the host here/)
  await run(2, 'echo next')
  expect(coordinator.finalUpdate(2)).toMatchObject({ state: 'success' })
  expect(await printed(systemId, 'cat made')).toBe('made\r\n')
  await runner.stopGracefully()
  expect(await leftovers()).toEqual([])
})
