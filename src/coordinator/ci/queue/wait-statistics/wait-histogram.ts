import { DAY } from '../../../../lib/time-units.js'

/** Upper bound of the first bucket, in milliseconds. */
const LEAST = 10
/** Ratio of the bounds of a bucket. Its middle differs from any wait in it by 7.5 % at most. */
const GROWTH = 1.15
/** In milliseconds; longer waits count as this. */
const MOST = 7 * DAY
const LAST_BUCKET = bucketAbove(MOST)

/** Numbers of waits by bucket. */
export type Histogram = ReadonlyMap<number, number>

export interface Percentiles {
  /** Number of waits. */
  count: number
  /** Seconds; null if there are no waits. */
  p50: number | null
  p90: number | null
  p95: number | null
  p99: number | null
}

/** The bucket of a wait in milliseconds. Each bucket ends 1.15 times as high as the one before. */
export function bucketOf(wait: number): number {
  return wait <= LEAST ? 0 : Math.min(LAST_BUCKET, bucketAbove(wait))
}

function bucketAbove(wait: number): number {
  return Math.ceil(Math.log(wait / LEAST) / Math.log(GROWTH))
}

export function percentilesOf(histogram: Histogram): Percentiles {
  const buckets = [...histogram].toSorted(([one], [other]) => one - other)
  const count = buckets.reduce((sum, [, waits]) => sum + waits, 0)
  const at = (share: number): number | null => {
    let left = Math.ceil(count * share)
    for (const [bucket, waits] of buckets) {
      left -= waits
      if (left <= 0) return secondsOf(bucket)
    }
    return null
  }
  return { count, p50: at(0.5), p90: at(0.9), p95: at(0.95), p99: at(0.99) }
}

/** The geometric middle of a bucket, in seconds. */
function secondsOf(bucket: number): number {
  const milliseconds = bucket === 0 ? LEAST : LEAST * GROWTH ** (bucket - 0.5)
  return Number((milliseconds / 1000).toPrecision(3))
}
