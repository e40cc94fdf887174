import type { LogLevel } from '../../lib/logger.js'
import type { RunnerLogLevel } from './settings.js'

/** Maps the log levels of the settings (runner protocol, 9.2) to those of the logger. */
export const LOG_LEVELS: Record<RunnerLogLevel, LogLevel> = {
  panic: 'fatal',
  fatal: 'fatal',
  error: 'error',
  warning: 'warn',
  info: 'info',
  debug: 'debug',
}
