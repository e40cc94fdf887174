import { once } from 'node:events'

import { messageOf } from '../../../../lib/errors.js'
import type { Logger } from '../../../../lib/logger.js'
import type { JobLog } from '../../../trace/job-log.js'
import {
  type EnvironmentRecord,
  type Executor,
  type ExecutorCapacity,
  ExecutorError,
  type ExecutorJob,
  type HostView,
  type JobEnvironment,
} from '../../executor.js'
import { engineAwaySeconds } from '../engine-patience.js'
import { chooseHost } from './choose-host.js'
import { HostLoads } from './host-loads.js'
import { HostLoss } from './host-loss.js'
import { HostMember } from './host-member.js'
import type { DockerHost, HostSource } from './host-source.js'
import { nameHost } from './named-errors.js'
import { PlacedEnvironment, readPlacedRecord } from './placed-environment.js'

/** The log and the status show so many problems of hosts. */
const MAX_PROBLEMS = 3
/** Milliseconds that a job whose preparation has begun waits for its host, before it is prepared elsewhere. */
const MAX_PREPARATION_AWAY = 30_000

export interface PoolParts {
  source: HostSource
  /** The executor for the jobs of one host. */
  executorFor: (host: DockerHost) => Executor
  /** Those of the executor that this one replaces. */
  loads?: HostLoads | undefined
  /** See `DockerExecutorSettings`. */
  engineAwaySeconds?: number | undefined
  logger: Logger
}

/**
 * Runs each job on one of several hosts (`HostSource`). A job keeps its host; its record names it. Jobs wait while no host
 * has room. Nothing is contacted before the first call.
 */
export class PoolExecutor implements Executor {
  readonly loads: HostLoads
  readonly capacity: ExecutorCapacity
  private readonly members = new Map<string, HostMember>()
  private endSource: (() => void) | undefined
  private waiting = 0
  private readonly jobs = new Set<number>()
  private isClosed = false

  constructor(private readonly parts: PoolParts) {
    const { loads = new HostLoads() } = parts
    this.loads = loads
    const jobs = () => this.jobsAtOnce()
    this.capacity = {
      get jobs() {
        return jobs()
      },
      onChange: (listener) => this.onChange(listener),
    }
  }

  async prepare(job: ExecutorJob, log: JobLog, signal: AbortSignal): Promise<JobEnvironment> {
    this.start()
    const member = await this.place(job, log, signal)
    const { name } = member.host
    log.plain(`Using the host ${name}`)
    // Nothing of the job is lost yet, so it waits only as long as another host may take.
    const loss = this.watchLoss(member, Math.min(this.patienceOf(job), MAX_PREPARATION_AWAY))
    try {
      const environment = await loss.duringLogged(log, signal, async (log, signal) => {
        const prepared = await member.executor.prepare(job, log, signal)
        // The host responds again, and the job may run elsewhere.
        if (loss.isLost) await prepared.cleanUp()
        return prepared
      })
      return this.placed(member, job, environment, loss)
    } catch (error) {
      this.left(member, job, loss)
      if (!signal.aborted && isFaultOfHost(error)) member.recordFailure(messageOf(error))
      throw nameHost(error, name)
    }
  }

  async adopt(job: ExecutorJob, record: EnvironmentRecord, log: JobLog): Promise<JobEnvironment> {
    this.start()
    const { host: name, environment: inner } = readPlacedRecord(record)
    const member = this.findMember(name)
    if (!member) {
      this.loads.kept.delete(job.jobId)
      const message = `The job ran on the host "${name}", which no longer exists`
      throw new ExecutorError(message, 'runner_system_failure')
    }
    this.jobStarted(member, job.jobId)
    const loss = this.watchLoss(member, this.patienceOf(job))
    try {
      const environment = await loss.duringLogged(log, undefined, (log, signal) =>
        member.executor.adopt(job, inner, log, signal),
      )
      return this.placed(member, job, environment, loss)
    } catch (error) {
      this.left(member, job, loss)
      throw nameHost(error, name)
    } finally {
      this.loads.kept.delete(job.jobId)
    }
  }

  private placed(
    member: HostMember,
    job: ExecutorJob,
    environment: JobEnvironment,
    loss: HostLoss,
  ): JobEnvironment {
    loss.patience = this.patienceOf(job)
    this.recordUse(member, job)
    return new PlacedEnvironment(environment, member.host.name, loss, {
      failed: (message) => member.recordFailure(message),
      held: () => this.jobHeld(member, job.jobId),
      ended: () => this.left(member, job, loss),
    })
  }

  /** A host that is away may still have something of the job. */
  private left(member: HostMember, job: ExecutorJob, loss: HostLoss): void {
    loss.end()
    if (!member.isOnline || loss.isLost) member.stain()
    this.jobEnded(member, job.jobId)
  }

  private watchLoss(member: HostMember, patience: number): HostLoss {
    return new HostLoss(member.host.name, member.untilLost, patience)
  }

  /** Milliseconds that a running job waits for its host. */
  private patienceOf(job: ExecutorJob): number {
    return engineAwaySeconds(this.parts, job) * 1000
  }

  /** Each host is cleaned before it gets its first job, and after it was away. */
  async removeLeftovers(kept: ReadonlySet<number>): Promise<void> {
    for (const jobId of kept) this.loads.kept.add(jobId)
    this.start()
  }

  async ping(signal?: AbortSignal): Promise<void> {
    this.start()
    while (this.isUndecided && !this.isClosed && !signal?.aborted) await this.change(signal)
    if (this.canServe) return
    throw new ExecutorError(this.problem, 'runner_system_failure')
  }

  async disconnected(signal: AbortSignal): Promise<void> {
    while (this.canServe && !signal.aborted) await this.change(signal)
  }

  async connected(signal: AbortSignal): Promise<void> {
    while (!this.canServe && !signal.aborted) await this.change(signal)
  }

  hosts(): HostView[] {
    this.start()
    return [...this.members.values()].map((member) => member.view())
  }

  /** The hosts are watched until the last job has ended. */
  close(): void {
    this.isClosed = true
    if (this.waiting > 0 || this.jobs.size > 0) return
    this.endSource?.()
    for (const member of this.members.values()) member.stop()
    this.changed()
  }

  private start(): void {
    if (this.endSource) return
    this.endSource = this.parts.source.onChange(() => this.applySource())
    this.applySource()
  }

  private applySource(): void {
    const offered = new Map(this.parts.source.hosts.map((host) => [host.name, host]))
    for (const member of this.members.values()) {
      member.isOffered = offered.has(member.host.name)
      member.isGone = this.parts.source.find(member.host.name) === undefined
    }
    for (const host of offered.values()) if (!this.members.has(host.name)) this.add(host)
    this.removeUnused()
    this.changed()
  }

  private add(host: DockerHost): HostMember {
    const { executorFor, logger } = this.parts
    const load = this.loads.of(host.name)
    const member = new HostMember({
      host,
      executor: executorFor(host),
      load,
      kept: () => this.loads.allJobs(),
      onChange: () => this.changed(),
      onAway: () => this.parts.source.hostAway?.(host.name),
      changes: this.loads.changes,
      logger,
    })
    this.members.set(host.name, member)
    member.start()
    return member
  }

  /** A host that is not offered any more stays until its last job has ended. */
  private removeUnused(): void {
    for (const [name, member] of this.members) {
      if (member.isOffered || member.load.jobs.size > 0 || member.load.held.size > 0) continue
      member.stop()
      this.members.delete(name)
      this.loads.delete(name)
    }
  }

  private findMember(name: string): HostMember | undefined {
    const known = this.members.get(name)
    if (known) return known
    const host = this.parts.source.find(name)
    if (!host) return undefined
    const member = this.add(host)
    member.isOffered = this.parts.source.hosts.some((offered) => offered.name === name)
    return member
  }

  /** Chooses a host and takes a place on it. Waits while no host has room. */
  private async place(job: ExecutorJob, log: JobLog, signal: AbortSignal): Promise<HostMember> {
    this.changeWaiting(1)
    try {
      for (let isFirst = true; ; isFirst = false) {
        signal.throwIfAborted()
        const member = this.choose(job)
        if (member) return member
        if (isFirst) log.plain('Waiting for a host with room ...')
        await this.change(signal)
      }
    } finally {
      this.changeWaiting(-1)
      if (this.isClosed) this.close()
    }
  }

  private changeWaiting(by: number): void {
    this.waiting += by
    this.parts.source.jobsWaiting?.(this.waiting)
  }

  private choose(job: ExecutorJob): HostMember | undefined {
    const online = [...this.members.values()].filter((member) => member.isOffered && member.isOnline)
    const candidates = online.map(({ host: { name, weight, concurrent }, load }) => ({
      name,
      weight,
      concurrent,
      running: load.jobs.size,
      share: load.share,
      failedAt: load.failedAt,
      hasImage: load.images.has(imageOf(job)),
      hasProject: load.projects.has(String(job.projectId)),
    }))
    const name = chooseHost(candidates, Date.now())
    const member = name === undefined ? undefined : this.members.get(name)
    if (!member) return undefined
    const others = candidates.filter(({ running, concurrent }) => running >= concurrent)
    this.loads.place(member.host.name, member.host.weight, others)
    this.jobStarted(member, job.jobId)
    return member
  }

  private jobStarted({ host, load }: HostMember, jobId: number): void {
    load.jobs.add(jobId)
    this.jobs.add(jobId)
    this.parts.source.jobStarted(host.name, jobId)
    this.changed()
  }

  /** A job that is held keeps its host. Another job gets its place there, unless the host is one for each job. */
  private jobHeld({ load }: HostMember, jobId: number): void {
    if (this.parts.source.keepsPlacesOfHeldJobs || !load.jobs.delete(jobId)) return
    load.held.add(jobId)
    this.changed()
  }

  private jobEnded({ host, load }: HostMember, jobId: number): void {
    // The cleanup of an environment may be called more than once.
    if (!load.jobs.delete(jobId) && !load.held.delete(jobId)) return
    this.jobs.delete(jobId)
    this.parts.source.jobEnded(host.name, jobId)
    this.removeUnused()
    this.changed()
    if (this.isClosed) this.close()
  }

  private recordUse({ load }: HostMember, job: ExecutorJob): void {
    load.failedAt = undefined
    load.images.add(imageOf(job))
    load.projects.add(String(job.projectId))
  }

  /** Jobs on hosts that are away count, because they still have a slot of the registration. */
  private jobsAtOnce(): number {
    const counts = [...this.members.values()].map(({ host, load, isOffered, isOnline }) =>
      isOffered && isOnline ? Math.max(host.concurrent, load.jobs.size) : load.jobs.size,
    )
    const now = counts.reduce((sum, count) => sum + count, 0)
    return Math.max(now, this.parts.source.capacity ?? 0)
  }

  /** The source would add hosts, and has none because no job needs one. */
  get isResting(): boolean {
    const { capacity, hosts } = this.parts.source
    return capacity !== undefined && hosts.length === 0
  }

  private get canServe(): boolean {
    if ((this.parts.source.capacity ?? 0) > 0) return true
    return [...this.members.values()].some((member) => member.isOffered && member.isOnline)
  }

  private get isUndecided(): boolean {
    return !this.canServe && [...this.members.values()].some((member) => !member.wasAsked)
  }

  private get problem(): string {
    const away = [...this.members.values()].filter(({ isOffered }) => isOffered)
    if (away.length === 0) return 'There is no host for jobs.'
    const problems = away.slice(0, MAX_PROBLEMS).map(({ host, problem }) => `"${host.name}": ${problem}`)
    const rest = away.length > MAX_PROBLEMS ? ` … and ${away.length - MAX_PROBLEMS} more.` : ''
    return `None of the ${away.length} hosts responds. ${problems.join(' ')}${rest}`
  }

  private changed(): void {
    this.loads.changes.dispatchEvent(new Event('change'))
  }

  private onChange(listener: () => void): () => void {
    this.loads.changes.addEventListener('change', listener)
    return () => this.loads.changes.removeEventListener('change', listener)
  }

  private async change(signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return
    try {
      await once(this.loads.changes, 'change', signal ? { signal } : {})
    } catch (error) {
      if (!signal?.aborted) throw error
    }
  }
}

function imageOf({ image }: ExecutorJob): string {
  return image?.name ?? ''
}

/** A registry that cannot be reached from one host may be reached from others. */
function isFaultOfHost(error: unknown): boolean {
  if (!(error instanceof ExecutorError)) return true
  return ['runner_system_failure', 'runner_external_dependency_failure'].includes(error.reason)
}
