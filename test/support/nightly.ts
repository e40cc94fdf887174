/** Whether this is the long run (`npm run test:nightly`), which repeats suites on PostgreSQL and searches longer. */
export const IS_NIGHTLY = process.env['SWITCHYARD_TEST_NIGHTLY'] === 'true'

/** The variants of a test: those of each run, and `atNight` in the nightly run. */
export function variants<Variant>(always: readonly Variant[], atNight: readonly Variant[]): Variant[] {
  return IS_NIGHTLY ? [...always, ...atNight] : [...always]
}
