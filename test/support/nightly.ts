/** Whether this is the long run (`npm run test:nightly`), which repeats suites on PostgreSQL and searches longer. */
export const IS_NIGHTLY = process.env['SWITCHYARD_TEST_NIGHTLY'] === 'true'
