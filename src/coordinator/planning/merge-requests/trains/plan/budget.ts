/*
 * Limits what speculation may cost. A train into which N cars came, and which has dropped k of them, starts at most
 *
 *     N + k · log2 N
 *
 * pipelines, besides those that are lost because of events outside of the train. Each merged car pays for one pipeline,
 * each dropped car for 1 + log2 N. What was paid and not spent is the balance. It may be negative, as long as the rest of
 * the train surely repays it: `surePay` is the least that remains if the other cars are tested all together, and the
 * first failing one is found by halves. `isAffordable` tries all places where the first failing car can be.
 */
import type { TrainCounts } from './train-state.js'

/** Sums of logarithms are not exact. */
const ROUNDING = 1e-9

/** Cars beyond these do not count for what the rest of the train pays, so that the table stays small. */
const MAX_PAYING = 128

/** What a dropped car pays besides one pipeline. */
export function searchPay({ entered }: Pick<TrainCounts, 'entered'>): number {
  return Math.log2(Math.max(1, entered))
}

/** Pipelines that are paid and not started; negative = those that were started and are not paid yet. */
export function balanceOf(counts: TrainCounts): number {
  const { merged, left, dropped, started, excused } = counts
  return merged + left + dropped * (1 + searchPay(counts)) - (started - excused)
}

/**
 * Maximum number of pipelines that find the first failing car among `size` by halves, if all of them together fail and
 * `passing` cars before it pass. The smaller half is tested first.
 */
export function searchCost(size: number, passing: number): number {
  const log = Math.log2(size)
  return passing === 0 ? Math.floor(log) : Math.ceil(log)
}

/**
 * By number of untested cars: what they pay at least, besides their own pipelines, if they are tested all together. `pay`:
 * see `searchPay`.
 */
export function surePay(cars: number, pay: number): number[] {
  const sure = [0]
  for (let count = 1; count <= Math.min(cars, MAX_PAYING); count += 1) {
    let least = count - 1
    for (let failing = 1; failing <= count; failing += 1) {
      const rest = sure[count - failing] ?? 0
      least = Math.min(least, failing + pay - 1 - searchCost(count, failing - 1) + rest)
    }
    sure.push(least)
  }
  return sure
}

export interface Speculation {
  /** Number of cars. */
  cars: number
  /** Numbers of cars that are tested by running pipelines, in ascending order. */
  running: readonly number[]
  /** Number of cars of the shortest test that has failed; undefined = none. */
  failed: number | undefined
  /** With all these pipelines paid. */
  balance: number
  /** See `searchPay`. */
  pay: number
  /** See `surePay`. */
  sure: readonly number[]
}

/** Whether the pipelines are paid in the end, whatever their results are. */
export function isAffordable({ cars, running, failed, balance, pay, sure }: Speculation): boolean {
  const paidBy = (count: number) => sure[Math.min(count, sure.length - 1)] ?? 0
  let before = 0
  for (const end of failed === undefined ? running : [...running, failed]) {
    for (let failing = before + 1; failing <= end; failing += 1) {
      const search = searchCost(end - before, failing - 1 - before)
      if (balance + failing + pay - search + paidBy(cars - failing) < -ROUNDING) return false
    }
    before = end
  }
  return failed !== undefined || balance + before + paidBy(cars - before) >= -ROUNDING
}
