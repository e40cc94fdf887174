import { type Coordinator, startCoordinator } from '../../../coordinator/coordinator.js'
import {
  type CoordinatorSettings,
  readCoordinatorSecrets,
  readCoordinatorSettings,
} from '../../../coordinator/start/config/settings.js'
import { keepsWarnings } from '../../../coordinator/start/warnings.js'
import { EXIT_CODES } from '../../../error-catalogue/exit-codes.js'
import { limitHeapGrowth } from '../../../lib/heap-growth.js'
import { createLogger, type Logger } from '../../../lib/logger.js'
import { connectEngine } from '../../../runner/executor/docker/connect-engine.js'
import type { Runner } from '../../../runner/runner.js'
import { untilStopped } from '../../until-stopped.js'
import { adminTokenFile, findAdminToken } from './admin-token.js'
import { Display } from './display.js'
import { startEmbeddedRunner } from './embedded-runner.js'
import { instructions } from './instructions.js'
import { runSample, type SampleRun } from './run-sample.js'
import { ensureSampleImage } from './sample-image.js'
import { SampleMemory } from './sample-memory.js'
import { signInLines } from './sign-in-link.js'

export interface UpOptions {
  listen?: string
  dataDir?: string
  logLevel?: string
  sample: boolean
  once: boolean
  json: boolean
}

/** In the current folder: visible, removed with the folder, and not shared between two clones. */
const DEFAULT_DATA_DIR = '.switchyard'

/**
 * Starts both daemons, runs the sample unless it has run before, and serves until a signal. Returns the exit code.
 * With `once`, it is 0 only if the sample pipeline passed.
 */
export async function runUp(options: UpOptions): Promise<number> {
  limitHeapGrowth()
  const settings = settingsOf(options)
  const logger = createLogger('switchyard', settings.logLevel, keepsWarnings(settings))
  const display = displayOf(options)
  await ensureSampleImage(connectEngine(), display.print)
  const coordinator = await startCoordinator(settings, logger, readCoordinatorSecrets(process.env))
  try {
    display.print(`The coordinator listens on ${coordinator.url}`)
    const runner = await startEmbeddedRunner(coordinator, logger)
    try {
      return await work(options, coordinator, display)
    } finally {
      await stopRunner(runner, logger)
    }
  } finally {
    await coordinator.stop()
  }
}

function settingsOf({ listen, dataDir, logLevel }: UpOptions): CoordinatorSettings {
  const defaults = { SWITCHYARD_DATA_DIR: DEFAULT_DATA_DIR, SWITCHYARD_LOG_LEVEL: 'warn' }
  const flags = { listen, data_dir: dataDir, log_level: logLevel }
  return readCoordinatorSettings(flags, { ...defaults, ...process.env })
}

/** With `--json`, standard output contains only that line. */
function displayOf({ json }: UpOptions): Display {
  const out = json ? process.stderr : process.stdout
  return new Display({ out, colour: out.isTTY && process.env['NO_COLOR'] === undefined })
}

async function work(options: UpOptions, coordinator: Coordinator, display: Display): Promise<number> {
  const stop = untilStopped()
  try {
    const exitCode = await runSampleIfWanted(options, coordinator, display, stop.signal)
    if (options.once) return exitCode
    if (!stop.signal.aborted) await printNextSteps(coordinator, display)
    await stop.promise
    display.print('Stopping.')
    return 0
  } finally {
    stop.release()
  }
}

/** Returns the exit code of `--once`. */
async function runSampleIfWanted(
  options: UpOptions,
  coordinator: Coordinator,
  display: Display,
  signal: AbortSignal,
): Promise<number> {
  const { dataDir } = coordinator.settings
  const memory = new SampleMemory(dataDir)
  if (!options.sample && !options.once && (await memory.hasRun())) {
    display.print('The sample pipeline ran at an earlier start; use --sample to run it again.')
    return 0
  }
  const token = await findAdminToken(dataDir)
  const run = await runSample({ url: coordinator.url, token, display, signal })
  if (run === 'interrupted') return EXIT_CODES.interrupted.code
  await memory.remember()
  printEnd(options, run, display)
  return run.watched.pipeline.status === 'success' ? 0 : EXIT_CODES.failed.code
}

async function printNextSteps({ url, settings }: Coordinator, display: Display): Promise<void> {
  const tokenFile = await adminTokenFile(settings.dataDir)
  for (const line of instructions({ url, tokenFile, dataDir: settings.dataDir })) display.print(line)
  display.print('Serving until Ctrl-C.')
  for (const line of await signInLines({ url, dataDir: settings.dataDir })) display.print(line)
}

function printEnd({ json }: UpOptions, { watched, report }: SampleRun, display: Display): void {
  display.summary(watched.pipeline, watched.jobs)
  if (json) process.stdout.write(`${JSON.stringify(report)}\n`)
}

async function stopRunner(runner: Runner, logger: Logger): Promise<void> {
  try {
    await runner.stopNow('switchyard up was stopped')
  } catch (error) {
    logger.error({ err: error }, 'The runner did not stop cleanly')
  }
}
