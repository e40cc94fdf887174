import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

import { IMAGE } from './docker.mjs'
import { Project } from './project.mjs'
import { ADMIN_TOKEN, REGISTRATION_TOKEN } from './tokens.mjs'

const run = promisify(execFile)

const MAIN = 'dist/cli/main.js'

/** Jobs at a time. */
export const CONCURRENT = 8

/** A log of 50 MB is longer than the default limit of a runner. */
const OUTPUT_LIMIT_KIB = 100 * 1024

/** Noise does not get smaller. */
const ARTIFACTS_MAX_BYTES = 1024 ** 3

/** The longest log of the benchmarks has 2,000,000 lines. */
const TRACE_MAX_BYTES = 200 * 1024 ** 2

/** @typedef {Awaited<ReturnType<typeof startInstallation>>} Installation */

/**
 * A coordinator and a runner, as they are installed: compiled, each a process, with files in a temporary folder.
 * @param {(settings: string) => string} [changeSettings] of the runner, whose executor is `docker`
 */
export async function startInstallation(changeSettings) {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-bench-'))
  const log = createWriteStream(join(folder, 'log'))
  const coordinator = await startCoordinator(folder, log)
  const runner = await startRunner(folder, coordinator.url, log, changeSettings)
  let projects = 0
  return {
    folder,
    url: coordinator.url,
    runnerPid: runner.pid ?? 0,
    /**
     * @param {string} ciFile
     * @param {number} [files]
     */
    createProject: (ciFile, files) =>
      Project.create(coordinator.url, join(folder, `project-${++projects}`), ciFile, files),
    async stop() {
      await stop(runner, 'SIGQUIT')
      await stop(coordinator.process, 'SIGTERM')
      log.end()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/**
 * @param {string} folder
 * @param {import('node:stream').Writable} log
 * @param {string[]} [flags]
 */
export async function startCoordinator(folder, log, flags = []) {
  const process_ = spawn(
    process.execPath,
    [MAIN, 'coordinator', '--listen', '127.0.0.1:0', '--data-dir', join(folder, 'coordinator'), ...flags],
    {
      env: {
        ...process.env,
        // As in systemd/switchyard-coordinator.service.
        MALLOC_TRIM_THRESHOLD_: '131072',
        SWITCHYARD_ADMIN_TOKEN: ADMIN_TOKEN,
        SWITCHYARD_REGISTRATION_TOKEN: REGISTRATION_TOKEN,
        SWITCHYARD_ARTIFACTS_MAX_BYTES: String(ARTIFACTS_MAX_BYTES),
        SWITCHYARD_TRACE_MAX_BYTES: String(TRACE_MAX_BYTES),
        // A benchmark asks as often as it can.
        SWITCHYARD_RATE_LIMITS_AUTHENTICATED_PER_MINUTE: '0',
        SWITCHYARD_PIPELINES_MAX_PER_MINUTE: '0',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  process_.stderr.pipe(log, { end: false })
  for await (const line of createInterface({ input: process_.stdout })) {
    const url = /http:\/\/[\w.:]+/.exec(line)?.[0]
    if (url) return { url, process: process_ }
  }
  throw new Error('The coordinator did not start')
}

/**
 * @param {string} folder
 * @param {string} url
 * @param {import('node:stream').Writable} log
 * @param {(settings: string) => string} changeSettings
 */
async function startRunner(folder, url, log, changeSettings = (settings) => settings) {
  const config = join(folder, 'runner/config.toml')
  await run(process.execPath, [
    ...[MAIN, 'runner', 'register', '--non-interactive', '--config', config, '--url', url],
    ...['--registration-token', REGISTRATION_TOKEN, '--run-untagged', '--executor', 'docker'],
    ...['--docker-image', IMAGE, '--docker-pull-policy', 'never'],
  ])
  const settings = await readFile(config, 'utf8')
  await writeFile(
    config,
    changeSettings(
      settings
        .replace(/^concurrent = \d+/m, `concurrent = ${CONCURRENT}`)
        .replace(/^\[\[runners\]\]$/m, `[[runners]]\noutput_limit = ${OUTPUT_LIMIT_KIB}`),
    ),
  )
  const runner = spawn(process.execPath, [MAIN, 'runner', 'run', '--config', config], {
    env: {
      ...process.env,
      // As in systemd/switchyard-runner.service.
      MALLOC_MMAP_THRESHOLD_: '65536',
      MALLOC_ARENA_MAX: '2',
      SWITCHYARD_RUNNER_DATA_DIR: join(folder, 'runner/data'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  runner.stdout.pipe(log, { end: false })
  runner.stderr.pipe(log, { end: false })
  return runner
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
export async function stop(child, signal) {
  if (child.exitCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}
