import { Gate } from '../../lib/gate.js'
import type { Logger } from '../../lib/logger.js'
import { pause, withJitter } from '../../lib/pause.js'
import { MINUTE } from '../../lib/time-units.js'
import type { DiskSettings } from '../config/disk-settings.js'
import type { CleanupItem, CleanupTarget } from './cleanup-target.js'
import { fullDisk, mayNeedCleanup, planCleanup } from './plan-cleanup.js'
import type { CleanupItemKind, Disk } from './usage.js'

/** Minimum milliseconds between two listings of all items, because a listing reads whole folders. */
const LISTING_GAP = MINUTE

export interface DiskCleanupDeps {
  settings: DiskSettings
  disks: () => Promise<Disk[]>
  targets: () => Promise<CleanupTarget[]>
  logger: Logger
  now?: () => number
}

/** State for display and metrics. */
export interface DiskCleanupStatus {
  disks: Disk[]
  /** Why no jobs are accepted. Undefined if they are. */
  problem: string | undefined
  /** Bytes by kind at the time of the last listing. */
  bytes: Partial<Record<CleanupItemKind, number>>
  removed: { count: number; bytes: number }
}

/**
 * Limits the disk space that the runner uses on its host:
 *
 *     after each job, and periodically ─▶ disks measured ─▶ above the high mark: items listed, the oldest removed
 *                                              ▲                                        │
 *                                              └────────────────────────────────────────┘
 *                                         └─▶ below the floor: no jobs are accepted until there is space again
 *
 * Nothing is removed during the first minute of a process, because jobs of an earlier process are resumed then.
 */
export class DiskCleanup {
  readonly gate = new Gate()
  private readonly removed = { count: 0, bytes: 0 }
  private lastDisks: Disk[] = []
  private bytes: DiskCleanupStatus['bytes'] = {}
  private lastListing: number
  private wake = new AbortController()

  constructor(private readonly parts: DiskCleanupDeps) {
    // Jobs of an earlier process first need time to claim what they use.
    this.lastListing = this.now
  }

  get status(): DiskCleanupStatus {
    const { lastDisks: disks, bytes, removed, gate } = this
    return { disks, problem: gate.reason, bytes, removed: { ...removed } }
  }

  private get now(): number {
    return (this.parts.now ?? Date.now)()
  }

  /** Must be called when a job ends, because it may have left many files. */
  jobEnded(): void {
    this.wake.abort()
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.wake = new AbortController()
      await this.runOnce(signal).catch((error: unknown) => this.report(error, signal))
      const interval = withJitter(this.parts.settings.intervalSeconds * 1000)
      await pause(interval, AbortSignal.any([signal, this.wake.signal]))
    }
  }

  /** Measures the disks once and acts on the result. May be interrupted at any moment. */
  async runOnce(signal: AbortSignal): Promise<void> {
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

  /**
   * Removes items until enough space is free or nothing removable is left. An item that cannot be removed is
   * skipped.
   */
  private async cleanUp(marks: NonNullable<DiskSettings['marks']>, signal: AbortSignal): Promise<void> {
    let items = await this.listAll(signal)
    this.bytes = bytesByKind(items)
    for (;;) {
      const plan = planCleanup({ disks: this.lastDisks, items }, marks, this.now)
      if (plan.length === 0) return
      const removed = new Set<CleanupItem>()
      for (const item of plan) {
        signal.throwIfAborted()
        if (await this.remove(item)) removed.add(item)
      }
      items = items
        .filter((item) => !removed.has(item))
        .map((item) => (plan.includes(item) ? { ...item, isInUse: true } : item))
      this.lastDisks = await this.parts.disks()
    }
  }

  /**
   * Lists all items. If one kind cannot be listed, for example because its engine is unavailable, the others are
   * still listed.
   */
  private async listAll(signal: AbortSignal): Promise<CleanupItem[]> {
    const items: CleanupItem[] = []
    for (const target of await this.parts.targets()) {
      try {
        items.push(...(await target.list(signal)))
      } catch (error) {
        signal.throwIfAborted()
        this.parts.logger.warn(
          { err: error },
          'Some of the disk space that the runner uses cannot be measured',
        )
      }
    }
    return items
  }

  private async remove(item: CleanupItem): Promise<boolean> {
    const { kind, name, bytes } = item
    try {
      if (!(await item.remove())) return false
      this.removed.count++
      this.removed.bytes += bytes
      this.parts.logger.info({ kind, name, bytes }, 'Removed to free disk space')
      return true
    } catch (error) {
      this.parts.logger.warn({ kind, name, err: error }, 'Cannot be removed to free disk space')
      return false
    }
  }

  private guardFloor(): void {
    const { settings, logger } = this.parts
    const full = fullDisk(this.lastDisks, settings.floorBytes)
    const before = this.gate.reason
    if (!full) {
      this.gate.open()
      if (before !== undefined) logger.info('There is enough disk space again: jobs are accepted')
      return
    }
    const reason = `only ${mebibytes(full.freeBytes)} MiB are free at ${full.path}, but ${mebibytes(settings.floorBytes)} MiB are required`
    this.gate.close(reason)
    if (before === undefined) logger.error(`The disk is full: no jobs are accepted, ${reason}`)
  }

  private report(error: unknown, signal: AbortSignal): void {
    if (!signal.aborted) this.parts.logger.warn({ err: error }, 'The disks cannot be measured')
  }
}

function bytesByKind(items: CleanupItem[]): DiskCleanupStatus['bytes'] {
  const bytes: DiskCleanupStatus['bytes'] = {}
  for (const item of items) bytes[item.kind] = (bytes[item.kind] ?? 0) + item.bytes
  return bytes
}

function mebibytes(bytes: number): number {
  return Math.floor(bytes / 1024 ** 2)
}
