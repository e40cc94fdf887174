import { defineConfig } from 'vitest/config'

const IS_NIGHTLY = process.env['SWITCHYARD_TEST_NIGHTLY'] === 'true'

/** The last part of a file's name says what its tests need: `services.docker.test.ts`; without one, nothing but git. */
const filesOf = (kind: string) => `test/**/*.${kind}.test.ts`

const settings = {
  // No test is about speed: the limit only ends what hangs, also on a busy machine of two cores.
  testTimeout: IS_NIGHTLY ? 60 * 60_000 : 120_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 60_000 } },
  pool: 'forks',
} as const

/** Much larger numbers for the long run: turns of a fuzz test, kills, and megabytes that go through the whole service. */
const env = {
  SWITCHYARD_FUZZ_RUNS: '20000',
  SWITCHYARD_KILL_ROUNDS: '25',
  SWITCHYARD_FLOW_MEGABYTES: '5120',
  SWITCHYARD_FLOW_LOG_MEGABYTES: '1024',
}

function project(name: string, include: string[], more: object = {}) {
  return { test: { name, include, ...settings, ...(IS_NIGHTLY ? { env } : {}), ...more } }
}

export default defineConfig({
  test: {
    maxWorkers: 2,
    globalSetup: ['test/support/global-setup.ts'],
    reporters: ['default', './test/support/slowest-reporter.ts'],
    projects: [
      project('fast', ['test/**/*.test.ts'], {
        exclude: ['docker', 'system', 'nightly'].map(filesOf),
      }),
      project('docker', [filesOf('docker')], { globalSetup: ['test/support/docker-setup.ts'] }),
      project('system', [filesOf('system')], { globalSetup: ['test/support/system-setup.ts'] }),
      ...(IS_NIGHTLY
        ? [project('nightly', [filesOf('nightly')], { globalSetup: ['test/support/system-setup.ts'] })]
        : []),
    ],
  },
})
