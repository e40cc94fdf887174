import { once } from 'node:events'

import type { Logger } from '../../../../lib/logger.js'
import { pause } from '../../../../lib/pause.js'
import { EngineProblem } from '../../engine-problem.js'
import { EngineWatch } from '../../engine-watch.js'
import type { Executor, HostView } from '../../executor.js'
import type { HostLoad } from './host-loads.js'
import type { UntilLost } from './host-loss.js'
import type { DockerHost } from './host-source.js'

/** Milliseconds that a timer can wait. */
const MAX_TIMER = 2 ** 31

export interface HostMemberParts {
  host: DockerHost
  executor: Executor
  load: HostLoad
  /** Jobs whose containers must be kept when the host is cleaned. */
  kept: () => ReadonlySet<number>
  /** Called when the host began or ceased to respond. */
  onChange: () => void
  /** Called when the engine ceased to respond. */
  onAway: () => void
  /** `change`: the state of a host may have changed. */
  changes: EventTarget
  logger: Logger
}

/**
 * One of the hosts of a registration, which is watched:
 *
 *     not asked yet ─▶ responds, leftovers of killed runners removed ◀─▶ away: asked again with backoff
 *
 * Jobs that fail while their host is away leave their containers there. They are removed before the host gets jobs again.
 */
export class HostMember {
  /** False once the source does not offer the host any more. */
  isOffered = true
  /** True once the source knows that the machine no longer exists. */
  isGone = false
  private readonly watch: EngineWatch
  private readonly pings: EngineProblem
  private readonly end = new AbortController()
  /** Counts the times after which something may be left there. */
  private stains = 1
  private cleanedStains = 0
  /** Since when the engine has not responded, in milliseconds since 1970, and why. Undefined while it responds. */
  private silence: { since: number; problem: string } | undefined
  private lastError: HostView['lastError']

  constructor(private readonly parts: HostMemberParts) {
    const logger = parts.logger.child({ host: parts.host.name })
    this.pings = new EngineProblem(() => parts.executor.ping())
    this.watch = new EngineWatch({
      executor: () => parts.executor,
      problem: () => this.findProblem(),
      effects: { ofProblem: 'The host gets no jobs until it responds.', ofEnd: 'The host gets jobs again' },
      onChange: parts.onChange,
      logger: () => logger,
    })
  }

  get host(): DockerHost {
    return this.parts.host
  }

  get executor(): Executor {
    return this.parts.executor
  }

  get load(): HostLoad {
    return this.parts.load
  }

  get isOnline(): boolean {
    return this.watch.gate.reason === undefined
  }

  /** Whether it is known if the host responds. */
  get wasAsked(): boolean {
    return this.isOnline || this.lastError !== undefined
  }

  get problem(): string | undefined {
    return this.watch.gate.reason
  }

  /** Watches the host until `stop`. */
  start(): void {
    void this.watch.run(this.end.signal)
  }

  stop(): void {
    this.end.abort()
  }

  /** Records a failure of a job that was not the fault of the job. */
  recordFailure(message: string): void {
    this.load.failedAt = Date.now()
    this.lastError = { message, at: Date.now() }
  }

  view(): HostView {
    const { host, load, lastError, state } = this
    const { name, concurrent, weight } = host
    const { freeDiskBytes } = this.executor
    const address = host.engine.host ?? ''
    const running = load.jobs.size
    return { name, address, state, running, concurrent, weight, freeDiskBytes, lastError }
  }

  /** Must be called when a job has left something on the host. */
  stain(): void {
    this.stains++
  }

  /**
   * Resolves with the reason when a job of the host cannot continue: the machine no longer exists, or has not responded for
   * the milliseconds that `patience` returns. Resolves with undefined when `signal` aborts.
   */
  readonly untilLost: UntilLost = async (patience, signal) => {
    while (!signal.aborted) {
      if (this.isGone) return 'The machine no longer exists.'
      const { silence } = this
      const left = silence ? silence.since + patience() - Date.now() : Infinity
      if (silence && left <= 0) {
        return `The engine has not responded for ${secondsSince(silence.since)} seconds. ${silence.problem}`
      }
      await this.changeWithin(left, signal)
    }
    return undefined
  }

  /** Resolves when the state of a host may have changed, or the time is over. */
  private async changeWithin(milliseconds: number, signal: AbortSignal): Promise<void> {
    const round = new AbortController()
    const end = () => round.abort()
    signal.addEventListener('abort', end)
    this.parts.changes.addEventListener('change', end)
    try {
      if (milliseconds < MAX_TIMER) await pause(milliseconds, round.signal)
      else await once(round.signal, 'abort')
    } finally {
      signal.removeEventListener('abort', end)
      this.parts.changes.removeEventListener('change', end)
    }
  }

  private get state(): HostView['state'] {
    if (!this.isOffered) return 'removed'
    if (this.isOnline) return 'online'
    return this.wasAsked ? 'offline' : 'unknown'
  }

  private async findProblem(): Promise<string | undefined> {
    const silence = await this.pings.find()
    if (silence === undefined) this.silence = undefined
    else this.recordSilence(silence)
    const problem = silence ?? (await this.clean())
    if (problem !== undefined) {
      // The same problem again has the time when it began, so that what the coordinator stores does not change.
      if (this.isOnline || this.lastError?.message !== problem)
        this.lastError = { message: problem, at: Date.now() }
    }
    return problem
  }

  private recordSilence(problem: string): void {
    this.stain()
    const isNew = this.silence === undefined
    this.silence = { since: this.silence?.since ?? Date.now(), problem }
    if (isNew) this.parts.onAway()
  }

  private async clean(): Promise<string | undefined> {
    const { stains } = this
    if (this.cleanedStains === stains) return undefined
    try {
      await this.executor.removeLeftovers(this.parts.kept())
      this.cleanedStains = stains
      return undefined
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }
}

function secondsSince(time: number): number {
  return Math.round((Date.now() - time) / 1000)
}
