import { Command } from 'commander'

import { messageOf } from '../../../lib/errors.js'
import type { Logger } from '../../../lib/logger.js'
import { loadSettings } from '../../../runner/config.js'
import type { Runner } from '../../../runner/runner.js'
import { action } from './action.js'
import { daemonLogger } from './logging.js'
import { configOption } from './options.js'

export function runCommand(): Command {
  return new Command('run')
    .description('take jobs and run them, until told to stop')
    .addOption(configOption())
    .action(action(run))
}

/**
 * The daemon. SIGQUIT lets running jobs finish. SIGTERM, which a service manager sends for a restart, leaves them in
 * their containers to the next start. SIGINT, from a keyboard, fails them; a second one exits at once.
 */
export async function run(options: { config: string }, command: Command): Promise<void> {
  // What git writes for a job is readable for the user of its image, and writable for its owner alone.
  process.umask(0o022)
  const { settings, warnings } = await loadSettings(options.config)
  const logger = daemonLogger(command, settings)
  for (const warning of warnings) logger.warn({ file: options.config }, warning)
  const { startRunner } = await import('../../../runner/runner.js')
  const runner = await startRunner(settings, logger)
  const letGo = obeySignals(runner, logger)
  await runner.finished
  letGo()
}

/** Until the answer is called. */
export function obeySignals(runner: Runner, logger: Logger): () => void {
  let isEnding = false
  const onQuit = () => void runner.stopGracefully()
  const onTerminate = () => void runner.leave().then(() => process.exit(0))
  const onInterrupt = () => {
    if (isEnding) process.exit(1)
    isEnding = true
    // As job logs name the signal (runner protocol, 6.3).
    runner.stopNow('interrupt').catch((error: unknown) => {
      process.stderr.write(`${messageOf(error)}\n`)
      process.exit(1)
    })
  }
  // Left alone, it would end the process in the middle of its jobs.
  const onHangUp = () => logger.warn('The settings are not read again while the runner works; restart it')
  const handlers = { SIGQUIT: onQuit, SIGTERM: onTerminate, SIGINT: onInterrupt, SIGHUP: onHangUp }
  for (const [signal, handler] of Object.entries(handlers)) process.on(signal, handler)
  return () => {
    for (const [signal, handler] of Object.entries(handlers)) process.off(signal, handler)
  }
}
