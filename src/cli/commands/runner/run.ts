import { Command, Option } from 'commander'

import { RUNNER_VERSION } from '../../../runner/client/runner-info.js'
import { parseListenAddress } from '../../../runner/config/read-listen-address.js'
import type { ListenAddress, RunnerSettings } from '../../../runner/config/settings.js'
import { SettingsFile } from '../../../runner/config/settings-file.js'
import { keepClientLight } from '../../../runner/executor/docker/light-client.js'
import { keepYoungSpaceSmall } from '../../../runner/memory/young-space.js'
import { action, CommandError } from './action.js'
import { catchSignals, type CaughtSignals, unlessAbandoned } from './catch-signals.js'
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
 * settings again. A runner that is still starting gives that up at SIGTERM and SIGINT, and obeys the others once it runs.
 */
export async function run(options: RunOptions, command: Command): Promise<void> {
  refuseUser(options)
  keepYoungSpaceSmall()
  // What git writes for a job is readable for the user of its image, and writable for its owner alone.
  process.umask(0o022)
  if (options.workingDirectory) process.chdir(options.workingDirectory)
  const signals = catchSignals()
  try {
    await runDaemon(options, command, signals)
  } finally {
    signals.release()
  }
}

async function runDaemon(options: RunOptions, command: Command, signals: CaughtSignals): Promise<void> {
  const file = new SettingsFile(options.config, overrides(options))
  const { settings, warnings } = await file.read()
  const metrics = settings.listen
    ? (await import('../../../runner/metrics/metrics.js')).createMetrics()
    : undefined
  const logger = daemonLogger(command, settings, metrics?.countLine)
  logger.info({ pid: process.pid, version: RUNNER_VERSION }, 'Runner starts')
  for (const warning of warnings) logger.warn({ file: options.config }, warning)
  if (options.syslog)
    logger.warn('--syslog has no effect: the log goes to standard error, which systemd keeps')
  keepClientLight()
  const { startDaemon } = await import('../../../runner/daemon.js')
  await unlessAbandoned(signals, logger, async () => {
    const daemon = await startDaemon({ file, settings, logger, metrics, starting: signals.starting })
    signals.obey(daemon, logger)
    await daemon.finished
  })
}

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
  if (!address) throw new CommandError([`--listen-address is "${text}"; it must be host:port, host or :port`])
  return address
}
