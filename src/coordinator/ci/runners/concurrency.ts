/**
 * Number of jobs that machines run at a time at most: the sum of what they report. Null without machines, and if one of
 * them does not report it, as those of the reference.
 * @param configs the `config` that each machine sent last (runner protocol, 1.3)
 */
export function concurrencyOf(configs: readonly Record<string, unknown>[]): number | null {
  if (configs.length === 0) return null
  let sum = 0
  for (const { concurrency } of configs) {
    if (typeof concurrency !== 'number' || !Number.isSafeInteger(concurrency) || concurrency < 0) return null
    sum += concurrency
  }
  return Number.isSafeInteger(sum) ? sum : null
}
