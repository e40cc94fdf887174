import { type Command, Option } from 'commander'

import { logFormatter } from '../../../lib/log-format.js'
import { createLogger, type Logger } from '../../../lib/logger.js'
import { LOG_LEVELS } from '../../../runner/config/log-level.js'
import {
  RUNNER_LOG_FORMATS,
  RUNNER_LOG_LEVELS,
  type RunnerLogFormat,
  type RunnerLogLevel,
  type RunnerSettings,
} from '../../../runner/config/settings.js'
import { choiceReader, readBoolean } from './flag-values.js'
import { withVariable } from './with-variable.js'

/**
 * Flags that every command accepts, before or after its name. They take precedence over the settings (runner
 * protocol, 9.6).
 */
interface LoggingOptions {
  debug?: boolean
  logLevel?: RunnerLogLevel
  logFormat?: RunnerLogFormat
}

export function loggingOptions(): Option[] {
  return [
    // An optional value would swallow the name of the command: `runner --debug run`.
    new Option('--debug', 'the same as --log-level debug [$RUNNER_DEBUG]'),
    withVariable(
      new Option('-l, --log-level <level>', `log level of the daemon: ${RUNNER_LOG_LEVELS.join(', ')}`),
      'LOG_LEVEL',
    ).argParser(choiceReader(RUNNER_LOG_LEVELS, { warn: 'warning' })),
    withVariable(
      new Option('--log-format <format>', `log format: ${RUNNER_LOG_FORMATS.join(', ')}`),
      'LOG_FORMAT',
    ).argParser(choiceReader(RUNNER_LOG_FORMATS)),
  ]
}

/** The log of a daemon, configured by its command line, or else by the settings. */
export function daemonLogger(
  command: Command,
  settings: Pick<RunnerSettings, 'logLevel' | 'logFormat'>,
  onLine?: (level: string) => void,
): Logger {
  const said = command.optsWithGlobals<LoggingOptions>()
  const isDebug = said.debug ?? readBoolean(process.env['RUNNER_DEBUG'] || 'false')
  const level = isDebug ? 'debug' : (said.logLevel ?? settings.logLevel)
  const format = said.logFormat ?? settings.logFormat ?? 'runner'
  return createLogger('runner', LOG_LEVELS[level], {
    format: logFormatter(format, process.stderr.isTTY),
    onLine,
  })
}
