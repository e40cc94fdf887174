import { defineConfig, mergeConfig } from 'vitest/config'

import standard from './vitest.config.js'

// What takes minutes: tests that are only here, and the fuzz tests of `npm test` with many more turns.
const include = ['test/soak/**/*.soak.ts', 'test/**/fuzz-*.test.ts']

export default mergeConfig(
  { ...standard, test: { ...standard.test, include } },
  defineConfig({ test: { env: { FUZZ_RUNS: '20000' }, testTimeout: 60 * 60_000, fileParallelism: false } }),
)
