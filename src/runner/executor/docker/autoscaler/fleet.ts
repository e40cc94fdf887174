import type { Logger } from '../../../../lib/logger.js'
import { MINUTE } from '../../../../lib/time-units.js'
import type { DockerHost } from '../hosts/host-source.js'
import { describeEnd } from './describe-end.js'
import { engineOf } from './instance-engine.js'
import type { Ledger } from './ledger/ledger.js'
import {
  type InstanceRecord,
  type InstanceState,
  inState,
  newRecord,
  withJob,
  withoutJob,
} from './model/instance.js'
import { newName } from './model/pool-names.js'
import type { PlanLimits, PlannedInstance } from './plan/plan.js'
import type { PluginInstance } from './plugins/plugin.js'
import type { AutoscalerRecorder } from './recorder.js'

export interface FleetParts {
  pool: string
  ledger: Ledger
  recorder: AutoscalerRecorder
  /** Called after each change. */
  onChange: () => void
  logger: Logger
}

/** The machines of a pool: their records, and what this process knows of them beside. */
export class Fleet {
  /** Machines whose creation an earlier process began. */
  private readonly unconfirmed: Set<string>
  private readonly failures = new Map<string, number>()
  private readonly misses = new Map<string, number>()
  private created: number[]

  constructor(private readonly parts: FleetParts) {
    const records = parts.ledger.all()
    this.unconfirmed = new Set(records.filter(({ state }) => state === 'creating').map(({ name }) => name))
    this.created = records.map(({ createdAt }) => createdAt)
  }

  get records(): InstanceRecord[] {
    return this.parts.ledger.all()
  }

  /** The numbers of machines, for every state. */
  countStates(): Record<InstanceState, number> {
    const counts = { creating: 0, starting: 0, ready: 0, draining: 0, deleting: 0 }
    for (const { state } of this.records) counts[state]++
    return counts
  }

  planned(): PlannedInstance[] {
    return this.records.map((record) => ({
      record,
      isUnconfirmed: this.unconfirmed.has(record.name),
      failures: this.failures.get(record.name) ?? 0,
    }))
  }

  missesOf(name: string): number {
    return this.misses.get(name) ?? 0
  }

  /** Times of the creations of the last minute, in milliseconds since 1970. */
  creations(now: number): readonly number[] {
    this.created = this.created.filter((time) => time > now - MINUTE)
    return this.created
  }

  /** The machines that may get new jobs. */
  hosts(limits: PlanLimits): DockerHost[] {
    return this.records.flatMap((record) => {
      const host = this.find(record.name, limits)
      const isOffered = record.state === 'ready' && record.used < limits.maxUseCount
      return isOffered && host ? [host] : []
    })
  }

  find(name: string, { capacityPerInstance }: PlanLimits): DockerHost | undefined {
    const record = this.parts.ledger.get(name)
    if (!record?.connection) return undefined
    return { name, engine: engineOf(record.connection), concurrent: capacityPerInstance, weight: 1 }
  }

  /** Records a new machine, and returns its name when that is stored. */
  async add(now: number): Promise<string> {
    const name = newName(this.parts.pool)
    this.created.push(now)
    await this.parts.ledger.put(newRecord(name, now))
    return name
  }

  /** Records that a machine of an earlier process exists. */
  async confirm(name: string, instance: unknown, now: number): Promise<void> {
    this.unconfirmed.delete(name)
    await this.parts.ledger.update(name, (record) => ({ ...inState(record, 'starting', now), instance }))
  }

  /** Records a machine that has no record, so that it is deleted. */
  async addUnknown({ name, instance }: PluginInstance, now: number): Promise<void> {
    if (this.parts.ledger.get(name)) return
    const record = inState(newRecord(name, now), 'deleting', now, 'it had no record')
    await this.parts.ledger.put({ ...record, instance })
  }

  /** Seconds since the record of a machine that is created or starts. Undefined if it is in another state. */
  secondsWithoutReadiness(name: string, now: number): number | undefined {
    const record = this.parts.ledger.get(name)
    if (record?.state !== 'creating' && record?.state !== 'starting') return undefined
    return Math.max(0, Math.round((now - record.createdAt) / 1000))
  }

  async drain(name: string, reason: string, now: number): Promise<void> {
    const change = (record: InstanceRecord) =>
      record.state === 'ready' ? inState(record, 'draining', now, reason) : record
    await this.change(name, change)
  }

  /** Records that a machine is to be deleted, unless it has jobs. Returns whether it is. */
  async markDeleted(name: string, reason: string, now: number): Promise<boolean> {
    await this.change(name, (record) =>
      record.jobs.length === 0 && record.state !== 'deleting'
        ? inState(record, 'deleting', now, reason)
        : record,
    )
    return this.parts.ledger.get(name)?.state === 'deleting'
  }

  /** A machine no longer exists. */
  async end(name: string, now: number, reason?: string): Promise<void> {
    const { ledger, pool, recorder, logger } = this.parts
    const record = ledger.get(name)
    if (!record) return
    this.unconfirmed.delete(name)
    this.failures.delete(name)
    this.misses.delete(name)
    await ledger.remove(name)
    const ended = reason === undefined ? record : { ...record, reason }
    const { message, ...figures } = describeEnd(ended, now)
    recorder.instanceEnded(pool, figures)
    logger[reason === undefined ? 'info' : 'warn']({ instance: name, ...figures }, message)
    this.parts.onChange()
  }

  jobStarted(name: string, jobId: number, now: number): Promise<void> {
    return this.change(name, (record) => withJob(record, jobId, now))
  }

  jobEnded(name: string, jobId: number, now: number): Promise<void> {
    return this.change(name, (record) => withoutJob(record, jobId, now))
  }

  /** Removes the jobs of an earlier process that nobody continues. */
  async keepJobs(kept: ReadonlySet<number>, now: number): Promise<void> {
    for (const { name, jobs } of this.records)
      for (const jobId of jobs) if (!kept.has(jobId)) await this.jobEnded(name, jobId, now)
  }

  recordCheck(name: string, isGood: boolean): void {
    const before = this.failures.get(name) ?? 0
    if (isGood) this.failures.delete(name)
    else this.failures.set(name, before + 1)
    if (before > 0 || !isGood) this.parts.onChange()
  }

  /** Counts the machines that a list does not have. Those that it has are not missing any more. */
  recordMisses(missing: readonly string[]): void {
    const counts = missing.map((name): [string, number] => [name, this.missesOf(name) + 1])
    this.misses.clear()
    for (const [name, count] of counts) this.misses.set(name, count)
  }

  /** The change is visible at once. Resolves when it is stored. */
  private async change(name: string, change: (record: InstanceRecord) => InstanceRecord): Promise<void> {
    const before = this.parts.ledger.get(name)
    const stored = this.parts.ledger.update(name, change)
    if (this.parts.ledger.get(name) !== before) this.parts.onChange()
    await stored
  }
}
