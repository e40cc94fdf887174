import { defineConfig, mergeConfig } from 'vitest/config'

import standard from './vitest.config.js'

// What takes long: tests that are only here, fuzz tests with many more turns, and daemons killed again and again.
const include = [
  'test/soak/**/*.soak.ts',
  'test/**/fuzz-*.test.ts',
  'test/runner/trace/split-invariance.test.ts',
  'test/coordinator/{killed-start,database/killed-migrations}.test.ts',
  'test/integration/{flat-memory,killed-runner,random-kills}.test.ts',
]
const env = {
  SWITCHYARD_FUZZ_RUNS: '20000',
  SWITCHYARD_KILL_ROUNDS: '25',
  SWITCHYARD_FLOW_MEGABYTES: process.env['SWITCHYARD_FLOW_MEGABYTES'] ?? '5120',
  SWITCHYARD_FLOW_LOG_MEGABYTES: process.env['SWITCHYARD_FLOW_LOG_MEGABYTES'] ?? '1024',
}

export default mergeConfig(
  { ...standard, test: { ...standard.test, include } },
  defineConfig({ test: { env, testTimeout: 60 * 60_000, fileParallelism: false } }),
)
