import type { Logger } from '../../../../lib/logger.js'
import { EngineProblem } from '../../engine-problem.js'
import { EngineWatch } from '../../engine-watch.js'
import type { Executor, HostView } from '../../executor.js'
import type { HostLoad } from './host-loads.js'
import type { DockerHost } from './host-source.js'

export interface HostMemberParts {
  host: DockerHost
  executor: Executor
  load: HostLoad
  /** Jobs whose containers must be kept when the host is cleaned. */
  kept: () => ReadonlySet<number>
  /** Called when the host began or ceased to respond. */
  onChange: () => void
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
  private readonly watch: EngineWatch
  private readonly pings: EngineProblem
  private readonly end = new AbortController()
  private isClean = false
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
    const { host, load, lastError } = this
    const { name, concurrent, weight } = host
    const address = host.engine.host ?? ''
    return { name, address, state: this.state, running: load.jobs.size, concurrent, weight, lastError }
  }

  private get state(): HostView['state'] {
    if (!this.isOffered) return 'removed'
    if (this.isOnline) return 'online'
    return this.wasAsked ? 'offline' : 'unknown'
  }

  private async findProblem(): Promise<string | undefined> {
    const problem = (await this.pings.find()) ?? (await this.clean())
    if (problem !== undefined) {
      this.isClean = false
      // The same problem again has the time when it began, so that what the coordinator stores does not change.
      if (this.isOnline || this.lastError?.message !== problem)
        this.lastError = { message: problem, at: Date.now() }
    }
    return problem
  }

  private async clean(): Promise<string | undefined> {
    if (this.isClean) return undefined
    try {
      await this.executor.removeLeftovers(this.parts.kept())
      this.isClean = true
      return undefined
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }
}
