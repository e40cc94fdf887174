import { isAffordable, type Speculation, surePay } from './budget.js'

export interface Trials extends Omit<Speculation, 'sure'> {
  /** How many more pipelines may run. */
  slots: number
}

/**
 * How many cars the next pipelines test, in ascending order: as many pipelines as can be afforded, which divide the cars
 * evenly. If a test has failed, they divide the cars before it; one pipeline halves them.
 */
export function nextTests(trials: Trials): number[] {
  const { running, failed, cars, slots } = trials
  if (slots <= 0) return []
  // What runs says in which part the failing car is.
  if (failed !== undefined && running.length > 0) return []
  const from = running.at(-1) ?? 0
  const most = Math.min(slots, (failed ?? cars + 1) - 1 - from)
  if (most <= 0) return []
  const sure = surePay(cars, trials.pay)
  for (let count = most; count > 0; count -= 1) {
    const ends = failed === undefined ? dividing(from, cars, count) : between(failed, count)
    const next = { ...trials, sure, running: [...running, ...ends], balance: trials.balance - count }
    // One pipeline is always started if none runs: otherwise the train would stop.
    if (isAffordable(next) || (count === 1 && running.length === 0)) return ends
  }
  return []
}

/** Ends of `count` parts of the cars after `from`; the last one is `to`. */
function dividing(from: number, to: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => from + Math.floor(((to - from) * (index + 1)) / count))
}

/** Ends of parts of the cars before `failed`. */
function between(failed: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => Math.floor((failed * (index + 1)) / (count + 1)))
}
