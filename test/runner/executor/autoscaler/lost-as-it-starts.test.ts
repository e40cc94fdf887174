import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { createLogger } from '../../../../src/lib/logger.js'
import { Autoscaler } from '../../../../src/runner/executor/docker/autoscaler/autoscaler.js'
import type { AutoscalerSettings } from '../../../../src/runner/executor/docker/autoscaler/model/settings.js'
import type { Plugin } from '../../../../src/runner/executor/docker/autoscaler/plugins/plugin.js'
import { NO_POLICY } from '../../../../src/runner/executor/docker/autoscaler/policy/active-policy.js'
import { NO_AUTOSCALER_RECORDER } from '../../../../src/runner/executor/docker/autoscaler/recorder.js'
import { Life, seededRandom, SimulatedCloud, SimulatedDisk } from './support/simulated-cloud.js'

const SECOND = 1000
const CALM = { failedCreate: 0, failedLate: 0, failedDelete: 0, failedList: 0, slowest: 1 }

const SETTINGS: AutoscalerSettings = {
  plugin: { kind: 'docker', images: [] },
  pool: 'ci',
  capacityPerInstance: 1,
  maxUseCount: Infinity,
  maxInstances: 1,
  maxCreatePerMinute: Infinity,
  instanceReadyCommand: undefined,
  instanceReadyTimeout: 600 * SECOND,
  failureThreshold: 3,
  updateInterval: 60 * SECOND,
  updateIntervalWhenExpecting: SECOND,
  deleteInstancesOnShutdown: false,
  policies: [{ ...NO_POLICY, periods: ['* * * * *'], idleCount: 1 }],
}

// Not `performance`: timers of earlier files in this worker read it.
beforeEach(
  () =>
    void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] }),
)
afterEach(() => void vi.useRealTimers())

/** What a plugin may do while a machine that it waits for is lost. */
const CONNECTS: [string, (connect: Plugin['connect']) => Plugin['connect']][] = [
  ['fails', (connect) => connect],
  ['waits', () => (_, signal) => untilAborted(signal)],
]

test.each(CONNECTS)(
  'a machine that is lost as it starts is replaced at once if "connect" %s',
  async (_, change) => {
    const cloud = new SimulatedCloud(seededRandom(1), CALM, () => 0)
    const disk = new SimulatedDisk()
    const life = new Life(Infinity)
    const plugin = cloud.plugin(life)
    const creations: boolean[] = []
    let isStarting = true
    const autoscaler = Autoscaler.start({
      settings: SETTINGS,
      pool: 'ci',
      store: disk.store(life),
      plugin: {
        ...plugin,
        connect: (machine, signal) => {
          if (!isStarting) return plugin.connect(machine, signal)
          return change(async () => Promise.reject(new Error('no address yet')))(machine, signal)
        },
      },
      probe: cloud.probe(life),
      demand: { queued: 0, jobReceived: () => {}, run: async () => {} },
      maxJobs: () => 1,
      recorder: {
        ...NO_AUTOSCALER_RECORDER,
        instanceCreated: (_pool, isReady) => void creations.push(isReady),
      },
      logger: createLogger('runner', 'silent'),
    })
    await autoscaler.keepJobs(new Set())
    await vi.advanceTimersByTimeAsync(5 * SECOND)
    expect(cloud.created).toHaveLength(1)

    const lost = cloud.lose()
    isStarting = false
    await vi.advanceTimersByTimeAsync(10 * SECOND)

    expect(cloud.created).toHaveLength(2)
    expect(autoscaler.hosts.map(({ name }) => name)).toEqual(cloud.created.filter((name) => name !== lost))
    expect(disk.names).toEqual([...cloud.machines.keys()])
    expect(creations).toEqual([false, true])
    const stopped = autoscaler.stop()
    await vi.advanceTimersByTimeAsync(SECOND)
    await stopped
  },
)

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
}
