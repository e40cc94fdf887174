import type { FormatLine } from './logger.js'

export type LogFormat = 'runner' | 'text' | 'json'

/** One log event as pino writes it. */
interface Event {
  level: number
  time: number
  msg?: string
  err?: { message?: string }
  [key: string]: unknown
}

const LEVELS: Record<number, string> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warning',
  50: 'error',
  60: 'fatal',
}
const COLOURS: Record<string, number> = { warning: 33, error: 31, fatal: 31 }
/** Column in which the fields of a `runner` line begin, if its message is short. */
const MESSAGE_WIDTH = 51

/** The log formats of the reference runner (runner protocol, 9.2). */
export function logFormatter(format: LogFormat, isColoured = false): FormatLine {
  return (json) => formatEvent(JSON.parse(json) as Event, format, isColoured)
}

function formatEvent(
  { level, time, msg = '', ...rest }: Event,
  format: LogFormat,
  isColoured: boolean,
): string {
  const name = LEVELS[level] ?? String(level)
  const fields = fieldsOf(rest)
  const timestamp = new Date(time).toISOString()
  switch (format) {
    case 'json':
      return `${JSON.stringify({ level: name, msg, time: timestamp, ...Object.fromEntries(fields) })}\n`
    case 'text':
      return `${line([['time', timestamp], ['level', name], ['msg', msg], ...fields])}\n`
    case 'runner':
      return runnerLine(name, msg, line(fields), isColoured)
  }
}

function runnerLine(level: string, msg: string, fields: string, isColoured: boolean): string {
  const text = level === 'info' ? msg : `${level.toUpperCase()}: ${msg}`
  const colour = isColoured ? COLOURS[level] : undefined
  const shown = fields === '' ? text : `${text.padEnd(MESSAGE_WIDTH)} ${fields}`
  return colour === undefined ? `${shown}\n` : `\x1b[${colour}m${shown}\x1b[0m\n`
}

/** The stack of an error is for debugging. Its message is for readers of the log. */
function fieldsOf({
  name: _,
  err,
  ...rest
}: Record<string, unknown> & Pick<Event, 'err'>): [string, unknown][] {
  return Object.entries(err ? { ...rest, error: err.message ?? err } : rest)
}

function line(fields: [string, unknown][]): string {
  return fields.map(([key, value]) => `${key}=${quoted(value)}`).join(' ')
}

function quoted(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return /^[\w./:@+-]+$/.test(text) ? text : JSON.stringify(text)
}
