import { hostname } from 'node:os'

import { Command } from 'commander'

import { readConfigFile } from '../../../runner/config/config-file.js'
import { resolveSettings } from '../../../runner/config/load-settings.js'
import type { RunnerSettings } from '../../../runner/config/settings.js'
import type { Table } from '../../../runner/config/table-reader.js'
import { action, CommandError } from './action.js'
import { catchSignals, type CaughtSignals, unlessAbandoned } from './catch-signals.js'
import { chooseSome, readRegistrations } from './chosen-registrations.js'
import { JobLimits } from './job-limits.js'
import { daemonLogger } from './logging.js'
import { configOption, numberOption, textOption } from './options.js'
import { registrationFrom, registrationOptions } from './registration-options.js'
import { lacksImage } from './registration.js'
import { mergeTables } from './template-config.js'

interface RunSingleOptions {
  config: string
  runner?: string
  token?: string
  /** 0: no limit. */
  maxBuilds?: number
  /** In seconds. 0: no limit. */
  waitTimeout?: number
  /** In seconds. */
  shutdownTimeout?: number
}

export function runSingleCommand(): Command {
  const command = new Command('run-single')
    .description('run jobs of one runner, one at a time, and exit')
    .addOption(configOption())
    .addOption(
      textOption('-r, --runner <name>', 'runner of the settings that the flags extend', 'RUN_SINGLE_RUNNER'),
    )
    .addOption(
      numberOption('--max-builds <jobs>', 'exit after this number of jobs; 0 = never', 'RUNNER_MAX_BUILDS'),
    )
    .addOption(
      numberOption(
        '--wait-timeout <seconds>',
        'exit after this time without a job; 0 = never',
        'RUNNER_WAIT_TIMEOUT',
      ),
    )
    .addOption(
      numberOption(
        '--shutdown-timeout <seconds>',
        'time for jobs to end when the runner is stopped',
        'RUNNER_SHUTDOWN_TIMEOUT',
      ),
    )
    .addOption(textOption('-t, --token <token>', 'token of the runner', 'CI_SERVER_TOKEN'))
  registrationOptions().forEach((option) => command.addOption(option))
  return command.action(
    action((options: RunSingleOptions, self: Command) =>
      runSingle(options, registrationFrom({ ...options }), self),
    ),
  )
}

/** A runner with one registration, which need not be in a file (runner protocol, 9.6). */
async function runSingle(options: RunSingleOptions, given: Table, command: Command): Promise<void> {
  const signals = catchSignals()
  try {
    await runUntilStopped(options, given, command, signals)
  } finally {
    signals.release()
  }
}

async function runUntilStopped(
  options: RunSingleOptions,
  given: Table,
  command: Command,
  signals: CaughtSignals,
): Promise<void> {
  const { settings, warnings } = await settingsOf(options, given)
  const logger = daemonLogger(command, settings)
  for (const warning of warnings) logger.warn(warning)
  const { startRunner } = await import('../../../runner/runner.js')
  const { DEFAULT_RUNTIME } = await import('../../../runner/registrations/default-runtime.js')
  const limits = new JobLimits({ jobs: options.maxBuilds, waitSeconds: options.waitTimeout })
  const helpers = { observer: limits, starting: signals.starting }
  await unlessAbandoned(signals, logger, async () => {
    const runner = await startRunner(settings, logger, DEFAULT_RUNTIME, helpers)
    signals.obey({ runner }, logger)
    limits.begin(() => void runner.stopGracefully())
    await runner.finished
    limits.end()
  })
}

async function settingsOf(
  options: RunSingleOptions,
  given: Table,
): Promise<{ settings: RunnerSettings; warnings: string[] }> {
  const { runners: _, ...global } = (await readConfigFile(options.config)) ?? {}
  const kept = options.runner === undefined ? {} : await entryNamed(options.config, options.runner)
  const entry: Table = {
    executor: 'docker',
    name: hostname(),
    ...mergeTables(kept, given),
    ...(options.token ? { token: options.token } : {}),
    limit: 1,
    request_concurrency: 1,
  }
  checkComplete(entry)
  const timeout = options.shutdownTimeout === undefined ? {} : { shutdown_timeout: options.shutdownTimeout }
  const table = { ...global, ...timeout, concurrent: 1, runners: [entry] }
  const { settings, warnings } = await resolveSettings(table, options.config, process.env)
  // A new token cannot be stored, because the token on the command line is not in the file.
  const { configFile: __, ...withoutFile } = settings
  return { settings: options.token || !options.runner ? withoutFile : settings, warnings }
}

async function entryNamed(file: string, name: string): Promise<Table> {
  const [entry] = chooseSome(file, await readRegistrations(file), { name })
  return entry?.table ?? {}
}

function checkComplete(entry: Table): void {
  const problems = [
    entry['url'] ? [] : ['--url (CI_SERVER_URL) is missing'],
    entry['token'] ? [] : ['--token (CI_SERVER_TOKEN) is missing'],
    lacksImage(entry) ? ['--docker-image (DOCKER_IMAGE) is missing'] : [],
  ].flat()
  if (problems.length === 0) return
  throw new CommandError([
    ...problems,
    'Give them as flags or variables, or name a runner of the settings: --runner',
  ])
}
