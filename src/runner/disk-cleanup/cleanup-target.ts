import type { UsedItem } from './usage.js'

/** An item that can be removed by the target that listed it. */
export interface CleanupItem extends UsedItem {
  /** Removes the item. Returns false if it is in use by now, or no longer belongs to the runner alone. */
  remove(): Promise<boolean>
}

/** One kind of items that the runner created or pulled. */
export interface CleanupTarget {
  /** Throws the reason of the signal if it aborts. */
  list(signal: AbortSignal): Promise<CleanupItem[]>
}
