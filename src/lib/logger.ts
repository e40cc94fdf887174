import { type LoggerOptions, pino, type Logger as PinoLogger } from 'pino'

import { messageWithCauses } from './errors.js'
import { redactText } from './redact-text.js'

export type Logger = PinoLogger

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'

/** Keys whose values are never logged, at the first and second level of the logged object. */
const SECRET_KEYS = ['token', 'password', 'authorization', 'secret', 'private_token', 'job_token']

const redact = {
  paths: [
    ...SECRET_KEYS,
    ...SECRET_KEYS.map((key) => `*.${key}`),
    'headers["private-token"]',
    'headers["job-token"]',
    'headers["hold-token"]',
  ],
  censor: '[redacted]',
}

/** Formats one line of the log, as JSON or as readable text, including its line end. */
export type FormatLine = (json: string) => string

export interface LogOutput {
  format?: FormatLine
  /** Called with the level of each line. */
  onLine?: ((level: string) => void) | undefined
  /** Called with each warning and error as it is logged, in JSON. */
  onWarning?: (json: string) => void
}

/** The beginning of a line of pino for a warning or an error. */
const WARNING = /^\{"level":[456]0,/

/**
 * Creates a logger with one line per event on standard error. Standard output is reserved for the output of a
 * command.
 */
export function createLogger(
  name: string,
  level: LogLevel = 'info',
  { format, onLine = () => {}, onWarning }: LogOutput = {},
): Logger {
  const output = pino.destination({ dest: 2, sync: true })
  const write = (json: string): void => {
    output.write(format ? format(json) : json)
    if (onWarning && WARNING.test(json)) onWarning(json)
  }
  const destination = format || onWarning ? { write } : output
  const hooks: LoggerOptions['hooks'] = {
    logMethod(args, method, number) {
      onLine(pino.levels.labels[number] ?? '')
      method.apply(this, args)
    },
    // Redacts secrets outside of fields: in URLs and headers in messages, and in errors of other programs.
    streamWrite: redactText,
  }
  const serializers = {
    err: (error: Error) => ({
      ...pino.stdSerializers.errWithCause(error),
      message: messageWithCauses(error),
    }),
  }
  return pino({ name, level, redact, hooks, serializers, base: { name } }, destination)
}
