import type { Thing } from './usage.js'

/** A thing that can be removed by whoever listed it. */
export interface CleanupItem extends Thing {
  /** Answers false when somebody has begun to use it, or it is not the runner's alone any more. */
  remove(): Promise<boolean>
}

/** One kind of things that the runner made or pulled. */
export interface CleanupTarget {
  /** Throws the signal's reason when it aborts. */
  list(signal: AbortSignal): Promise<CleanupItem[]>
}
