import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { createLogger } from '../../../../src/lib/logger.js'
import { Autoscaler } from '../../../../src/runner/executor/docker/autoscaler/autoscaler.js'
import type { AutoscalerSettings } from '../../../../src/runner/executor/docker/autoscaler/model/settings.js'
import { NO_POLICY } from '../../../../src/runner/executor/docker/autoscaler/policy/active-policy.js'
import { NO_AUTOSCALER_RECORDER } from '../../../../src/runner/executor/docker/autoscaler/recorder.js'
import { fuzzRuns } from '../../../support/fuzz-runs.js'
import { Life, type Random, seededRandom, SimulatedCloud, SimulatedDisk } from './support/simulated-cloud.js'

const SECOND = 1000
const MAX_INSTANCES = 4
const CAPACITY = 2

const SETTINGS: AutoscalerSettings = {
  plugin: { kind: 'docker', images: [] },
  pool: 'ci',
  capacityPerInstance: CAPACITY,
  maxUseCount: 5,
  maxInstances: MAX_INSTANCES,
  maxCreatePerMinute: 60,
  instanceReadyCommand: undefined,
  instanceReadyTimeout: 30 * SECOND,
  failureThreshold: 3,
  updateInterval: 10 * SECOND,
  updateIntervalWhenExpecting: SECOND,
  deleteInstancesOnShutdown: false,
  policies: [{ ...NO_POLICY, periods: ['* * * * *'], idleCount: 1, idleTime: 20 * SECOND }],
}

const CALM = { failedCreate: 0, failedLate: 0, failedDelete: 0, failedList: 0, slowest: 3 * SECOND }
const ROUGH = { failedCreate: 0.2, failedLate: 0.2, failedDelete: 0.2, failedList: 0.2, slowest: 8 * SECOND }

const FAKED = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] as const

// Not `performance`: timers of earlier files in this worker read it.
beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2026-06-05T12:00:00Z'), toFake: [...FAKED] }))
afterEach(() => void vi.useRealTimers())

/** A runner whose process is killed again and again, with jobs that come and go. */
class Scene {
  readonly disk = new SimulatedDisk()
  readonly cloud: SimulatedCloud
  /** Running jobs by machine. They outlive the process. */
  readonly jobs = new Map<number, string>()
  private nextJob = 1
  private autoscaler: Autoscaler | undefined
  waiting = 0
  life = new Life(0)

  constructor(private readonly random: Random) {
    this.cloud = new SimulatedCloud(random, ROUGH, (name) => this.jobsOn(name))
  }

  async begin(lastStep: number): Promise<void> {
    this.life = new Life(lastStep)
    this.autoscaler = Autoscaler.start({
      settings: SETTINGS,
      pool: 'ci',
      store: this.disk.store(this.life),
      plugin: this.cloud.plugin(this.life),
      probe: this.cloud.probe(this.life),
      demand: { queued: 0, jobReceived: () => {}, run: async () => {} },
      maxJobs: () => 20,
      recorder: NO_AUTOSCALER_RECORDER,
      logger: createLogger('runner', 'silent'),
    })
    await this.continueJobs(this.autoscaler)
    this.autoscaler.jobsWaiting(this.waiting)
  }

  /** The jobs are continued some time later, except for those whose machine is gone. */
  private async continueJobs(autoscaler: Autoscaler): Promise<void> {
    void autoscaler.keepJobs(new Set(this.jobs.keys()))
    await vi.advanceTimersByTimeAsync(this.random() * SECOND)
    for (const [jobId, name] of this.jobs) {
      if (autoscaler.find(name)) autoscaler.jobStarted(name, jobId)
      else this.jobs.delete(jobId)
    }
  }

  /** Some time in which jobs arrive, are placed and end. */
  async act(): Promise<void> {
    await vi.advanceTimersByTimeAsync(this.random() * 3 * SECOND)
    if (this.life.isOver || !this.autoscaler) return
    if (this.random() < 0.4) this.waiting += Math.floor(this.random() * 4)
    this.place(this.autoscaler)
    for (const [jobId, name] of this.jobs) if (this.random() < 0.2) this.endJob(this.autoscaler, jobId, name)
    this.autoscaler.jobsWaiting(this.waiting)
  }

  endAll(): void {
    for (const [jobId, name] of this.jobs) if (this.autoscaler) this.endJob(this.autoscaler, jobId, name)
    this.waiting = 0
    this.autoscaler?.jobsWaiting(0)
  }

  async stop(): Promise<void> {
    const stopped = this.autoscaler?.stop()
    await vi.advanceTimersByTimeAsync(30 * SECOND)
    await stopped
  }

  jobsOn(name: string): number {
    return [...this.jobs.values()].filter((each) => each === name).length
  }

  private place(autoscaler: Autoscaler): void {
    for (const { name, concurrent } of autoscaler.hosts) {
      while (
        this.waiting > 0 &&
        this.jobsOn(name) < concurrent &&
        autoscaler.hosts.some((host) => host.name === name)
      ) {
        const jobId = this.nextJob++
        this.waiting--
        this.jobs.set(jobId, name)
        autoscaler.jobStarted(name, jobId)
      }
    }
  }

  private endJob(autoscaler: Autoscaler, jobId: number, name: string): void {
    this.jobs.delete(jobId)
    autoscaler.jobEnded(name, jobId)
  }
}

test('machines are neither lost nor created twice, whatever fails and whenever the runner is killed', async () => {
  const { numRuns } = fuzzRuns(4)
  for (let seed = 1; seed <= numRuns; seed++) {
    const random = seededRandom(seed)
    const scene = new Scene(random)
    for (let life = 0; life < 6; life++) {
      await scene.begin(Math.floor(random() * 60) + 1)
      for (let step = 0; step < 12 && !scene.life.isOver; step++) {
        await scene.act()
        if (random() < 0.05) scene.cloud.lose()
      }
      // Time in which no runner runs, while commands of the last one end.
      scene.life.end()
      await vi.advanceTimersByTimeAsync(random() * 10 * SECOND)
    }
    scene.cloud.faults = CALM
    await scene.begin(Infinity)
    for (let step = 0; step < 10; step++) await scene.act()
    scene.endAll()
    await vi.advanceTimersByTimeAsync(400 * SECOND)
    const seen = { violations: scene.cloud.violations, machines: [...scene.cloud.machines.keys()].toSorted() }
    expect({ seed, ...seen }).toEqual({ seed, violations: [], machines: scene.disk.names.toSorted() })
    expect({ seed, most: scene.cloud.mostMachines <= MAX_INSTANCES }).toEqual({ seed, most: true })
    // One machine is kept idle (idle_count).
    expect({ seed, machines: seen.machines.length }).toEqual({ seed, machines: 1 })
    await scene.stop()
  }
})
