import type { Logger } from '../../lib/logger.js'
import { pause, withJitter } from '../../lib/pause.js'
import type { DiskSettings } from '../config/disk-settings.js'
import type { CleanupItem, CleanupTarget } from './cleanup-target.js'
import { DiskGate } from './disk-gate.js'
import { fullDisk, mayNeedCleanup, planCleanup } from './plan-cleanup.js'
import type { Disk, ThingKind } from './usage.js'

/** Milliseconds between two looks at all things, which read whole folders. */
const LISTING_GAP = 60_000

export interface DiskCleanupDeps {
  settings: DiskSettings
  disks: () => Promise<Disk[]>
  shelves: () => Promise<CleanupTarget[]>
  logger: Logger
  now?: () => number
}

/** For people and metrics. */
export interface DiskCleanupStatus {
  disks: Disk[]
  /** Why no jobs are taken; undefined when they are. */
  problem: string | undefined
  /** Bytes by kind, as of the last time that all things were looked at. */
  bytes: Partial<Record<ThingKind, number>>
  removed: { count: number; bytes: number }
}

/**
 * Keeps the runner's things within their bounds on the disks of its host:
 *
 *     after each job, and now and then ─▶ disks measured ─▶ above the high mark: things listed, the oldest removed
 *                                              ▲                                        │
 *                                              └────────────────────────────────────────┘
 *                                         └─▶ below the floor: no jobs are taken, until there is room again
 *
 * Nothing is removed in the first minute of a process, in which jobs of an earlier one are taken up.
 */
export class DiskCleanup {
  readonly gate = new DiskGate()
  private readonly removed = { count: 0, bytes: 0 }
  private lastDisks: Disk[] = []
  private bytes: DiskCleanupStatus['bytes'] = {}
  private lastListing: number
  private wake = new AbortController()

  constructor(private readonly parts: DiskCleanupDeps) {
    // Jobs of an earlier process first get time to show what they use.
    this.lastListing = this.now
  }

  get status(): DiskCleanupStatus {
    const { lastDisks: disks, bytes, removed, gate } = this
    return { disks, problem: gate.reason, bytes, removed: { ...removed } }
  }

  private get now(): number {
    return (this.parts.now ?? Date.now)()
  }

  /** A job has ended, and may have left much. */
  jobEnded(): void {
    this.wake.abort()
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.wake = new AbortController()
      await this.turn(signal).catch((error: unknown) => this.report(error, signal))
      const interval = withJitter(this.parts.settings.intervalSeconds * 1000)
      await pause(interval, AbortSignal.any([signal, this.wake.signal]))
    }
  }

  /** One look at the disks, and what comes of it. May be interrupted at any moment. */
  async turn(signal: AbortSignal): Promise<void> {
    const { settings, disks } = this.parts
    this.lastDisks = await disks()
    const { marks } = settings
    if (
      marks &&
      mayNeedCleanup({ disks: this.lastDisks }, marks) &&
      this.now - this.lastListing >= LISTING_GAP
    ) {
      this.lastListing = this.now
      await this.cleanUp(marks, signal)
    }
    this.guardFloor()
  }

  /** What could not be removed is passed over: then it is the next one's turn, until enough is gone or nothing is left. */
  private async cleanUp(marks: NonNullable<DiskSettings['marks']>, signal: AbortSignal): Promise<void> {
    let things = await this.listAll(signal)
    this.bytes = bytesByKind(things)
    for (;;) {
      const plan = planCleanup({ disks: this.lastDisks, things }, marks, this.now)
      if (plan.length === 0) return
      const removed = new Set<CleanupItem>()
      for (const thing of plan) {
        signal.throwIfAborted()
        if (await this.remove(thing)) removed.add(thing)
      }
      things = things
        .filter((thing) => !removed.has(thing))
        .map((thing) => (plan.includes(thing) ? { ...thing, isInUse: true } : thing))
      this.lastDisks = await this.parts.disks()
    }
  }

  /** A kind that cannot be listed, as with an engine that is away, does not keep the others. */
  private async listAll(signal: AbortSignal): Promise<CleanupItem[]> {
    const things: CleanupItem[] = []
    for (const shelf of await this.parts.shelves()) {
      try {
        things.push(...(await shelf.list(signal)))
      } catch (error) {
        signal.throwIfAborted()
        this.parts.logger.warn({ err: error }, 'Some of what the runner keeps cannot be looked at')
      }
    }
    return things
  }

  private async remove(thing: CleanupItem): Promise<boolean> {
    const { kind, name, bytes } = thing
    try {
      if (!(await thing.remove())) return false
      this.removed.count++
      this.removed.bytes += bytes
      this.parts.logger.info({ kind, name, bytes }, 'Removed to make room')
      return true
    } catch (error) {
      this.parts.logger.warn({ kind, name, err: error }, 'Cannot be removed to make room')
      return false
    }
  }

  private guardFloor(): void {
    const { settings, logger } = this.parts
    const full = fullDisk(this.lastDisks, settings.floorBytes)
    const before = this.gate.reason
    if (!full) {
      this.gate.open()
      if (before !== undefined) logger.info('There is room on the disk again: jobs are taken')
      return
    }
    const reason = `only ${mebibytes(full.freeBytes)} MiB are free at ${full.path}, and ${mebibytes(settings.floorBytes)} are wanted`
    this.gate.close(reason)
    if (before === undefined) logger.error(`The disk is full: no jobs are taken, ${reason}`)
  }

  private report(error: unknown, signal: AbortSignal): void {
    if (!signal.aborted) this.parts.logger.warn({ err: error }, 'The disks cannot be looked at')
  }
}

function bytesByKind(things: CleanupItem[]): DiskCleanupStatus['bytes'] {
  const bytes: DiskCleanupStatus['bytes'] = {}
  for (const thing of things) bytes[thing.kind] = (bytes[thing.kind] ?? 0) + thing.bytes
  return bytes
}

function mebibytes(bytes: number): number {
  return Math.floor(bytes / 1024 ** 2)
}
