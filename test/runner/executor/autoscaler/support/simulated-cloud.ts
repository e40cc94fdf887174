import { pause } from '../../../../../src/lib/pause.js'
import type { LedgerStore } from '../../../../../src/runner/executor/docker/autoscaler/ledger/ledger-files.js'
import { PluginError } from '../../../../../src/runner/executor/docker/autoscaler/model/errors.js'
import type { Connection } from '../../../../../src/runner/executor/docker/autoscaler/model/instance.js'
import type {
  Plugin,
  PluginInstance,
} from '../../../../../src/runner/executor/docker/autoscaler/plugins/plugin.js'
import type { Probe } from '../../../../../src/runner/executor/docker/autoscaler/probe.js'

/** A number from 0 to 1, the same for each run with the same seed. */
export type Random = () => number

export function seededRandom(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export interface CloudFaults {
  /** Probability that a creation fails without an effect, or after it. */
  failedCreate: number
  failedLate: number
  failedDelete: number
  failedList: number
  /** Milliseconds that a creation, a deletion, or the start of a machine takes at most. */
  slowest: number
}

interface CloudMachine {
  name: string
  usableAt: number
}

/** The machines that exist. It outlives the processes of runners, and its commands do too. */
export class SimulatedCloud {
  readonly machines = new Map<string, CloudMachine>()
  /** Names that were created, once for each creation. */
  readonly created: string[] = []
  /** Machines that were deleted while they had a job, by the runner. */
  readonly violations: string[] = []
  mostMachines = 0

  constructor(
    private readonly random: Random,
    public faults: CloudFaults,
    /** Jobs of a machine, as the runner knows them. */
    private readonly jobsOn: (name: string) => number,
  ) {}

  /** The plugin of one process. After the end of the process, its calls have their effects and do not return. */
  plugin(life: Life): Plugin {
    return {
      create: (name) => life.call(() => this.create(name)),
      delete: ({ name }) => life.call(() => this.delete(name)),
      list: () => life.call(() => this.list()),
      connect: ({ name }) => life.call(async () => this.connect(name)),
    }
  }

  probe(life: Life): Probe {
    const check = async ({ host }: Connection) => {
      const machine = this.machines.get(host)
      if (!machine || Date.now() < machine.usableAt) throw new PluginError('the engine does not respond')
    }
    return {
      untilReady: (_, connection) => life.call(() => check(connection)),
      check: (connection) => life.call(() => check(connection)),
    }
  }

  /** A machine disappears. */
  lose(): string | undefined {
    const names = [...this.machines.keys()]
    const name = names[Math.floor(this.random() * names.length)]
    if (name !== undefined) this.machines.delete(name)
    return name
  }

  private async create(name: string): Promise<PluginInstance> {
    await this.slowly()
    if (this.happens(this.faults.failedCreate)) throw new PluginError('no capacity')
    if (this.created.includes(name)) this.violations.push(`${name} was created twice`)
    this.created.push(name)
    this.machines.set(name, { name, usableAt: Date.now() + this.random() * this.faults.slowest })
    this.mostMachines = Math.max(this.mostMachines, this.machines.size)
    await this.slowly()
    if (this.happens(this.faults.failedLate)) throw new PluginError('the connection was lost')
    return { name, instance: { id: name } }
  }

  private async delete(name: string): Promise<void> {
    await this.slowly()
    if (this.happens(this.faults.failedDelete)) throw new PluginError('try later')
    if (this.machines.has(name) && this.jobsOn(name) > 0)
      this.violations.push(`${name} was deleted with a job`)
    this.machines.delete(name)
  }

  private async list(): Promise<PluginInstance[]> {
    await pause(1)
    if (this.happens(this.faults.failedList)) throw new PluginError('rate limit')
    return [...this.machines.keys()].map((name) => ({ name }))
  }

  private connect(name: string): Connection {
    if (!this.machines.has(name)) throw new PluginError('no such machine')
    return { host: name }
  }

  private slowly(): Promise<void> {
    return pause(this.random() * this.faults.slowest)
  }

  private happens(probability: number): boolean {
    return this.random() < probability
  }
}

/** One process of the runner, which may be killed at any step: at any write of a record and any call of the plugin. */
export class Life {
  private steps = 0

  /** The process ends at its step number `lastStep`. */
  constructor(private lastStep: number) {}

  /** The process ends now. */
  end(): void {
    this.lastStep = 0
  }

  get isOver(): boolean {
    return this.steps >= this.lastStep
  }

  /** Never resolves after the end of the process. */
  private async passed(): Promise<void> {
    if (this.isOver) await new Promise(() => {})
  }

  /** A call that outlives the process. */
  async call<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.isOver) return await new Promise<Result>(() => {})
    this.steps++
    try {
      return await work()
    } finally {
      await this.passed()
    }
  }
}

/** Records on a disk, which keeps what a killed process has written. */
export class SimulatedDisk {
  private readonly records = new Map<string, string>()

  store(life: Life): LedgerStore {
    return {
      load: async () => new Map([...this.records].map(([name, text]) => [name, JSON.parse(text) as unknown])),
      write: (name, record) => life.call(async () => void this.records.set(name, JSON.stringify(record))),
      remove: (name) => life.call(async () => void this.records.delete(name)),
    }
  }

  get names(): string[] {
    return [...this.records.keys()]
  }
}
