import { invalid } from '../errors.js'
import type { ConfigValue } from '../yaml/config-value.js'

/**
 * Replaces references by the values of the variables that are known so far; keeps undefined ones. Throws
 * `ConfigError`.
 */
export type ExpandVariables = (text: string) => string

/** Applies one function of a block to the value before it (CI language, 5.3). Throws `ConfigError`. */
export function applyFunction(
  written: string,
  value: ConfigValue,
  expandVariables: ExpandVariables,
): ConfigValue {
  if (typeof value !== 'string') throw noSuchFunction(written)
  if (written === 'expand_vars') return expandVariables(value)
  if (written === 'posix_escape') return posixEscape(value)
  const separator = /^split\('(?<separator>[^']*)'\)$/.exec(written)?.groups?.separator
  if (separator !== undefined) return split(value, separator)
  const range = /^truncate\(\s*(?<offset>\d{1,9})\s*,\s*(?<length>\d{1,9})\s*\)$/.exec(written)?.groups
  if (!range) throw noSuchFunction(written)
  const offset = Number(range.offset)
  return Array.from(value)
    .slice(offset, offset + Number(range.length))
    .join('')
}

/** The parts between the separators, without blanks around them and without empty ones. */
function split(text: string, separator: string): string[] {
  if (separator === '') throw invalid('invalid argument: separator cannot be empty')
  const parts = text.split(separator).map((part) => part.trim())
  return parts.filter((part) => part !== '')
}

/** Safe as one word of a POSIX shell. */
function posixEscape(text: string): string {
  if (text === '') return "''"
  return text.replaceAll(/[^A-Za-z0-9_\-.,:+/@\n]/gu, String.raw`\$&`).replaceAll('\n', "'\n'")
}

function noSuchFunction(written: string): Error {
  return invalid(
    `no function matching \`${written}\`: check that the function name, arguments, and types are correct`,
  )
}
