import { parseDuration } from '../../lib/duration.js'

type Values = ReadonlyMap<string, string>
type Warn = (text: string) => void

/**
 * Parses `1 t T TRUE true True` and the like. Any other text gives the default and a warning (runner protocol,
 * 10.3).
 */
export function booleanSetting(values: Values, name: string, otherwise: boolean, warn: Warn): boolean {
  const text = values.get(name) ?? ''
  if (text === '') return otherwise
  if (['1', 't', 'T', 'TRUE', 'true', 'True'].includes(text)) return true
  if (['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(text)) return false
  warn(`${name}: "${text}" is not a boolean, using ${otherwise}`)
  return otherwise
}

/** Number of attempts for a stage: 1 to 10 (runner protocol, 7.1). */
export function attemptsSetting(values: Values, name: string, warn: Warn): number {
  const text = values.get(name) ?? ''
  if (text === '') return 1
  const attempts = Number(text)
  if (Number.isInteger(attempts) && attempts >= 1 && attempts <= 10) return attempts
  const clamped = Number.isInteger(attempts) ? Math.min(Math.max(attempts, 1), 10) : 1
  warn(`${name}: "${text}" is not a number from 1 to 10, using ${clamped}`)
  return clamped
}

/**
 * Seconds of a duration variable. A malformed value, or one longer than the job may take, is ignored with a warning
 * (runner protocol, 6.2).
 */
export function durationSetting(
  values: Values,
  name: string,
  limitSeconds: number,
  warn: Warn,
): number | undefined {
  const text = values.get(name) ?? ''
  if (text === '') return undefined
  const seconds = parseDuration(text)
  if (seconds === undefined) {
    warn(`${name}: "${text}" is not a duration such as 30m and is ignored`)
    return undefined
  }
  if (seconds > limitSeconds) warn(`${name}: ${text} is longer than the timeout of the job, which applies`)
  return seconds === 0 ? undefined : Math.min(seconds, limitSeconds)
}

export function choiceSetting<T extends string>(
  values: Values,
  name: string,
  choices: readonly T[],
  otherwise: T,
  warn: Warn,
): T {
  const text = values.get(name) ?? ''
  if (text === '') return otherwise
  const choice = choices.find((candidate) => candidate === text)
  if (choice === undefined) warn(`${name}: "${text}" is not one of ${choices.join(', ')}, using ${otherwise}`)
  return choice ?? otherwise
}
