import { MINUTE } from '../../lib/time-units.js'
import type { DiskSettings } from '../config/disk-settings.js'
import type { Disk, Usage, UsedItem } from './usage.js'

/** Minimum age in milliseconds. A job that has just begun may be about to use items that no container uses yet. */
const YOUNGEST_MILLISECONDS = 10 * MINUTE

type Marks = NonNullable<DiskSettings['marks']>

/**
 * The items to remove, in order. Below the high mark there are none. Above it, these are the least recently used
 * items until the low mark is reached. Items in use, or used a moment ago, are never included.
 */
export function planCleanup<T extends UsedItem>(
  { disks, items }: { disks: Disk[]; items: T[] },
  { high, low }: Marks,
  now: number,
): T[] {
  const removable = items
    .filter(({ isInUse, lastUsed }) => !isInUse && now - lastUsed >= YOUNGEST_MILLISECONDS)
    .sort((one, other) => one.lastUsed - other.lastUsed)
  if (high.kind === 'amount' && low.kind === 'amount') {
    const total = items.reduce((sum, { bytes }) => sum + bytes, 0)
    return total > high.bytes ? takeUntil(removable, total - low.bytes) : []
  }
  return disks.flatMap((disk) => {
    if (!isAboveMark(disk, high) || low.kind !== 'fullness') return []
    const surplus = disk.sizeBytes - disk.freeBytes - low.part * disk.sizeBytes
    return takeUntil(
      removable.filter(({ diskId }) => diskId === disk.id),
      surplus,
    )
  })
}

/** Whether all items must be listed. A mark that limits the total size of the items always requires it. */
export function mayNeedCleanup({ disks }: Pick<Usage, 'disks'>, { high }: Marks): boolean {
  return high.kind === 'amount' || disks.some((disk) => isAboveMark(disk, high))
}

/** The first disk with too little space for a job. Undefined if there is none. */
export function fullDisk(disks: Disk[], floorBytes: number): Disk | undefined {
  return disks.find(({ freeBytes }) => freeBytes < floorBytes)
}

function isAboveMark(disk: Disk, high: Marks['high']): boolean {
  return high.kind === 'fullness' && (disk.sizeBytes - disk.freeBytes) / disk.sizeBytes > high.part
}

/** The fewest items, in the given order, that free `bytes`. */
function takeUntil<T extends UsedItem>(items: T[], bytes: number): T[] {
  let missing = bytes
  return items.filter((item) => {
    const isNeeded = missing > 0 && item.bytes > 0
    if (isNeeded) missing -= item.bytes
    return isNeeded
  })
}
