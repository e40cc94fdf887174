import { Command } from 'commander'

import { messageOf } from '../../../lib/errors.js'
import { createLogger, type Logger, type LogLevel } from '../../../lib/logger.js'
import { loadSettings } from '../../../runner/config.js'
import type { RunnerLogLevel } from '../../../runner/config/settings.js'
import type { Runner } from '../../../runner/runner.js'
import { action } from './action.js'
import { configOption } from './options.js'

export function runCommand(): Command {
  return new Command('run')
    .description('take jobs and run them, until told to stop')
    .addOption(configOption())
    .action(action(run))
}

const LEVELS: Record<RunnerLogLevel, LogLevel> = {
  panic: 'fatal',
  fatal: 'fatal',
  error: 'error',
  warning: 'warn',
  info: 'info',
  debug: 'debug',
}

/** As job logs name them (runner protocol, 6.3). */
const SIGNAL_NAMES: Partial<Record<NodeJS.Signals, string>> = { SIGTERM: 'terminated', SIGINT: 'interrupt' }

/** The daemon. SIGQUIT lets running jobs finish; SIGTERM and SIGINT fail them; a second of these exits at once. */
export async function run(options: { config: string }): Promise<void> {
  // What git writes for a job is readable for the user of its image, and writable for its owner alone.
  process.umask(0o022)
  const { settings, warnings } = await loadSettings(options.config)
  const logger = createLogger('runner', LEVELS[settings.logLevel])
  for (const warning of warnings) logger.warn({ file: options.config }, warning)
  const { startRunner } = await import('../../../runner/runner.js')
  const runner = await startRunner(settings, logger)
  const letGo = obeySignals(runner, logger)
  await runner.finished
  letGo()
}

function obeySignals(runner: Runner, logger: Logger): () => void {
  let isEnding = false
  const onQuit = () => void runner.stopGracefully()
  const onTerminate = (signal: NodeJS.Signals) => {
    if (isEnding) process.exit(1)
    isEnding = true
    runner.stopNow(SIGNAL_NAMES[signal] ?? signal).catch((error: unknown) => {
      process.stderr.write(`${messageOf(error)}\n`)
      process.exit(1)
    })
  }
  // Left alone, it would end the process in the middle of its jobs.
  const onHangUp = () => logger.warn('The settings are not read again while the runner works; restart it')
  const handlers = { SIGQUIT: onQuit, SIGTERM: onTerminate, SIGINT: onTerminate, SIGHUP: onHangUp }
  for (const [signal, handler] of Object.entries(handlers)) process.on(signal, handler)
  return () => {
    for (const [signal, handler] of Object.entries(handlers)) process.off(signal, handler)
  }
}
