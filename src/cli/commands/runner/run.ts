import { Command, Option } from 'commander'

import { messageOf } from '../../../lib/errors.js'
import type { Logger } from '../../../lib/logger.js'
import { parseListenAddress } from '../../../runner/config/read-listen-address.js'
import type { ListenAddress, RunnerSettings } from '../../../runner/config/settings.js'
import { SettingsFile } from '../../../runner/config/settings-file.js'
import type { Daemon } from '../../../runner/daemon.js'
import { keepClientLight } from '../../../runner/executor/docker/light-client.js'
import type { Runner } from '../../../runner/runner.js'
import { action, CommandError } from './action.js'
import { daemonLogger } from './logging.js'
import { configOption, textOption } from './options.js'

export interface RunOptions {
  config: string
  listenAddress?: string
  workingDirectory?: string
  user?: string
  service?: string
  syslog?: boolean
}

export function runCommand(): Command {
  return new Command('run')
    .description('take jobs and run them, until told to stop')
    .addOption(configOption())
    .addOption(textOption('--listen-address <address>', 'serve metrics and health there', 'LISTEN_ADDRESS'))
    .option('-d, --working-directory <folder>', 'work in this folder')
    .option('-u, --user <name>', 'not possible here: the service manager does that')
    .option('-n, --service <name>', 'name of the service; means nothing to a daemon')
    .addOption(new Option('--syslog', 'not possible here: the log goes to standard error').env('LOG_SYSLOG'))
    .action(action(run))
}

/**
 * The daemon. SIGQUIT lets running jobs finish. SIGTERM, which a service manager sends for a restart, leaves them in
 * their containers to the next start. SIGINT, from a keyboard, fails them; a second one exits at once. SIGHUP reads the
 * settings again.
 */
export async function run(options: RunOptions, command: Command): Promise<void> {
  refuseUser(options)
  // What git writes for a job is readable for the user of its image, and writable for its owner alone.
  process.umask(0o022)
  if (options.workingDirectory) process.chdir(options.workingDirectory)
  const file = new SettingsFile(options.config, overrides(options))
  const { settings, warnings } = await file.read()
  const metrics = settings.listen
    ? (await import('../../../runner/metrics/metrics.js')).createMetrics()
    : undefined
  const logger = daemonLogger(command, settings, metrics?.countLine)
  for (const warning of warnings) logger.warn({ file: options.config }, warning)
  if (options.syslog)
    logger.warn('--syslog has no effect: the log goes to standard error, which systemd keeps')
  keepClientLight()
  const { startDaemon } = await import('../../../runner/daemon.js')
  const daemon = await startDaemon({ file, settings, logger, metrics })
  const letGo = obeySignals(daemon, logger)
  await daemon.finished
  letGo()
}

/** What signals are told to. */
type Obedient = { runner: Runner } & Partial<Pick<Daemon, 'reload'>>

function refuseUser({ user }: RunOptions): void {
  if (!user) return
  throw new CommandError([
    `--user ${user}: the runner does not change its user. Say User=${user} in the systemd unit, or start it as that user`,
  ])
}

function overrides({ listenAddress }: RunOptions): Partial<RunnerSettings> {
  return listenAddress ? { listen: readAddress(listenAddress) } : {}
}

function readAddress(text: string): ListenAddress {
  const address = parseListenAddress(text)
  if (!address) throw new CommandError([`--listen-address is "${text}"; wanted is host:port, host or :port`])
  return address
}

/** Until the answer is called. */
export function obeySignals({ runner, reload }: Obedient, logger: Logger): () => void {
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
  const onHangUp = () => {
    if (!reload) {
      logger.warn('SIGHUP: there is no file of settings to be read again')
      return
    }
    logger.info('SIGHUP: the settings are read again')
    void reload()
  }
  const handlers = { SIGQUIT: onQuit, SIGTERM: onTerminate, SIGINT: onInterrupt, SIGHUP: onHangUp }
  for (const [signal, handler] of Object.entries(handlers)) process.on(signal, handler)
  return () => {
    for (const [signal, handler] of Object.entries(handlers)) process.off(signal, handler)
  }
}
