import { test } from 'vitest'

/** Whether this is the long run (`npm run test:nightly`), which repeats suites on PostgreSQL and searches longer. */
export const IS_NIGHTLY = process.env['SWITCHYARD_TEST_NIGHTLY'] === 'true'

/** The variants of a test: those of each run, and `atNight` in the nightly run. */
export function variants<Variant>(always: readonly Variant[], atNight: readonly Variant[]): Variant[] {
  return IS_NIGHTLY ? [...always, ...atNight] : [...always]
}

/**
 * Rows of a table of cases that each take long: all of them in the nightly run, and in every other one `count` of them,
 * evenly spread, the first one included.
 */
export function sampled<Row>(rows: readonly Row[], count: number): Row[] {
  if (IS_NIGHTLY || count >= rows.length) return [...rows]
  return Array.from({ length: count }, (_, index) => rows[Math.floor((index * rows.length) / count)]!)
}

/** A test of the nightly run alone: it takes long, and another one shows on every push the main thing it shows. */
export const testAtNight = test.runIf(IS_NIGHTLY)
