import { Command, Option } from 'commander'

import { limitHeapGrowth } from '../../../lib/heap-growth.js'
import { RUNNER_VERSION } from '../../../runner/client/runner-info.js'
import { parseListenAddress } from '../../../runner/config/read-listen-address.js'
import { SettingsFile } from '../../../runner/config/settings-file.js'
import type { ListenAddress, RunnerSettings } from '../../../runner/config/settings.js'
import { keepClientLight } from '../../../runner/executor/docker/light-client.js'
import { keepYoungSpaceSmall } from '../../../runner/memory/young-space.js'
import { action, CommandError } from './action.js'
import { catchSignals, type CaughtSignals, unlessAbandoned } from './catch-signals.js'
import { daemonLogger } from './logging.js'
import { configOption, textOption } from './options.js'

interface RunOptions {
  config: string
  listenAddress?: string
  workingDirectory?: string
  user?: string
  service?: string
  syslog?: boolean
}

export function runCommand(): Command {
  return new Command('run')
    .description('request jobs and run them, until stopped')
    .addOption(configOption())
    .addOption(
      textOption(
        '--listen-address <address>',
        'serve metrics and health checks at this address',
        'LISTEN_ADDRESS',
      ),
    )
    .option('-d, --working-directory <folder>', 'working directory')
    .option('-u, --user <name>', 'not supported: the service manager does that')
    .option('-n, --service <name>', 'name of the service; has no effect on a daemon')
    .addOption(new Option('--syslog', 'not supported: the log goes to standard error').env('LOG_SYSLOG'))
    .action(action(run))
}

/**
 * The daemon. SIGQUIT lets running jobs finish. SIGTERM, which a service manager sends for a restart, leaves them
 * in their containers to the next start. SIGINT, from a keyboard, fails them. A second one exits at once. SIGHUP
 * reloads the settings. During the start, SIGTERM and SIGINT cancel it, and the other signals take effect once the
 * runner has started.
 */
async function run(options: RunOptions, command: Command): Promise<void> {
  refuseUser(options)
  keepYoungSpaceSmall()
  limitHeapGrowth()
  // Files that git writes for a job are readable for the user of its image, and writable for their owner only.
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
    logger.warn('--syslog has no effect: the log goes to standard error, which systemd stores')
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
    `--user ${user}: the runner does not change its user. Set User=${user} in the systemd unit, or start it as that user`,
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
