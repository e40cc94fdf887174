import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

import { defineConfig } from 'vitest/config'

import Sequencer from './test/support/sequencer.js'

/** One for each state of the installed packages: Vitest fails when it clears the folder of another state as it starts. */
const MODULE_CACHE = `.switchyard/vitest/${createHash('sha256').update(readFileSync('package-lock.json')).digest('hex').slice(0, 12)}`

const IS_NIGHTLY = process.env['SWITCHYARD_TEST_NIGHTLY'] === 'true'

/**
 * The last part of a file's name says what its tests need: `services.docker.test.ts` a Docker engine, `isolated` a process of
 * their own, because they replace modules or measure memory; without one, nothing but git. `nightly` before it leaves
 * the file to the nightly run.
 */
const filesOf = (kind: string) => `test/**/*.${kind}.test.ts`

/** Such as `groups.nightly.system.test.ts`. */
const AT_NIGHT_ONLY = filesOf('nightly.*')

const WORKER_SETUP = 'test/support/worker-setup.ts'

const settings = {
  setupFiles: WORKER_SETUP,
  // No test is about speed: the limit only ends what hangs, also on a busy machine of two cores.
  testTimeout: IS_NIGHTLY ? 60 * 60_000 : 120_000,
  // The full demo of `npm run pictures` and the image take minutes to make, many of them beside other work.
  hookTimeout: IS_NIGHTLY ? 30 * 60_000 : 60_000,
  expect: { poll: { timeout: IS_NIGHTLY ? 10 * 60_000 : 60_000 } },
  pool: 'forks',
  maxWorkers: 3,
} as const

/**
 * Much larger numbers for the long run: how many times as many runs of a property, kills, and megabytes that go through the whole service. The
 * environment of the command may give others.
 */
const LONG_RUN = {
  SWITCHYARD_FUZZ_FACTOR: '20',
  SWITCHYARD_KILL_ROUNDS: '10',
  SWITCHYARD_FLOW_MEGABYTES: '2048',
  SWITCHYARD_FLOW_LOG_MEGABYTES: '512',
}
const env = Object.fromEntries(
  Object.entries(LONG_RUN).map(([name, value]) => [name, process.env[name] ?? value]),
)

/** Tests allocate much and keep little: with more room for new objects, they take a tenth less CPU. */
const execArgv = ['--max-semi-space-size=32']

/** Tests that mostly wait for other processes; in a group of their own, because groups differ in their workers. */
const waiting = { execArgv, isolate: false, maxWorkers: 5, sequence: { groupOrder: 1 } }

interface ProjectOptions extends Record<string, unknown> {
  exclude?: string[]
}

function project(name: string, include: string[], { exclude = [], ...more }: ProjectOptions = {}) {
  const left = IS_NIGHTLY ? exclude : [...exclude, AT_NIGHT_ONLY]
  return { test: { name, include, exclude: left, ...settings, ...(IS_NIGHTLY ? { env } : {}), ...more } }
}

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    sequence: { sequencer: Sequencer },
    reporters: ['default', './test/support/slowest-reporter.ts', './test/support/run-reporter.ts'],
    // Transformed modules are kept on disk: for the next project of this run, and for the next run of one file.
    experimental: { fsModuleCache: true, fsModuleCachePath: MODULE_CACHE },
    projects: [
      // To load the modules of the coordinator takes seconds: the files share three processes and what these have loaded.
      project('fast', ['test/**/*.test.ts'], {
        exclude: ['isolated', 'docker', 'system', 'browser', 'nightly'].map(filesOf),
        execArgv,
        isolate: false,
        setupFiles: [WORKER_SETUP, 'test/support/fast-setup.ts'],
      }),
      project('isolated', [filesOf('isolated')]),
      project('docker', [filesOf('docker')], {
        ...waiting,
        globalSetup: ['test/support/docker-setup.ts'],
      }),
      project('system', [filesOf('system')], {
        ...waiting,
        globalSetup: ['test/support/system-setup.ts'],
      }),
      project('browser', [filesOf('browser')], {
        ...waiting,
        maxWorkers: 2,
        sequence: { groupOrder: 2 },
        globalSetup: ['test/support/browser-setup.ts'],
      }),
      ...(IS_NIGHTLY
        ? [
            project('nightly', [filesOf('nightly')], {
              globalSetup: ['test/support/system-setup.ts', 'test/support/browser-setup.ts'],
            }),
          ]
        : []),
    ],
  },
})
