import type { DiskSettings } from '../config/disk-settings.js'
import type { Disk, Thing, Usage } from './usage.js'

/** A job that has just begun may be about to use what no container holds yet. */
const YOUNGEST_MILLISECONDS = 10 * 60_000

type Marks = NonNullable<DiskSettings['marks']>

/**
 * What is to be removed, in that order: nothing below the high mark; above it, what was not used for longest, until
 * the low mark is reached. Never what is in use, nor what was used a moment ago.
 */
export function planCleanup<T extends Thing>(
  { disks, things }: { disks: Disk[]; things: T[] },
  { high, low }: Marks,
  now: number,
): T[] {
  const removable = things
    .filter(({ isInUse, lastUsed }) => !isInUse && now - lastUsed >= YOUNGEST_MILLISECONDS)
    .sort((one, other) => one.lastUsed - other.lastUsed)
  if (high.kind === 'amount' && low.kind === 'amount') {
    const total = things.reduce((sum, { bytes }) => sum + bytes, 0)
    return total > high.bytes ? firstOf(removable, total - low.bytes) : []
  }
  return disks.flatMap((disk) => {
    if (!isAboveMark(disk, high) || low.kind !== 'fullness') return []
    const surplus = disk.sizeBytes - disk.freeBytes - low.part * disk.sizeBytes
    return firstOf(
      removable.filter(({ diskId }) => diskId === disk.id),
      surplus,
    )
  })
}

/** Whether it is worth while to look at every thing: always, for a mark that is about the things themselves. */
export function mayNeedCleanup({ disks }: Pick<Usage, 'disks'>, { high }: Marks): boolean {
  return high.kind === 'amount' || disks.some((disk) => isAboveMark(disk, high))
}

/** The disk on which too little is left for a job; undefined when there is none. */
export function fullDisk(disks: Disk[], floorBytes: number): Disk | undefined {
  return disks.find(({ freeBytes }) => freeBytes < floorBytes)
}

function isAboveMark(disk: Disk, high: Marks['high']): boolean {
  return high.kind === 'fullness' && (disk.sizeBytes - disk.freeBytes) / disk.sizeBytes > high.part
}

/** As few as bring `bytes`. */
function firstOf<T extends Thing>(things: T[], bytes: number): T[] {
  let missing = bytes
  return things.filter((thing) => {
    const isNeeded = missing > 0 && thing.bytes > 0
    if (isNeeded) missing -= thing.bytes
    return isNeeded
  })
}
