import { type Logger as PinoLogger, type LoggerOptions, pino } from 'pino'

export type Logger = PinoLogger

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'

/** Keys whose values never reach a log line, at the first and second depth of the logged object. */
const SECRET_KEYS = ['token', 'password', 'authorization', 'secret', 'private_token', 'job_token']

const redact = {
  paths: [
    ...SECRET_KEYS,
    ...SECRET_KEYS.map((key) => `*.${key}`),
    'headers["private-token"]',
    'headers["job-token"]',
  ],
  censor: '[redacted]',
}

/**
 * One JSON line per event on standard error, which leaves standard output to what a command prints. `onLine` hears of
 * the level of each.
 */
export function createLogger(
  name: string,
  level: LogLevel = 'info',
  onLine: (level: string) => void = () => {},
): Logger {
  const hooks: LoggerOptions['hooks'] = {
    logMethod(args, method, number) {
      onLine(pino.levels.labels[number] ?? '')
      method.apply(this, args)
    },
  }
  return pino({ name, level, redact, hooks, base: { name } }, pino.destination({ dest: 2, sync: true }))
}
