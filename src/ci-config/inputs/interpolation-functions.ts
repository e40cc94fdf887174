import { ConfigError, invalid } from '../errors.js'
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
  const { name, apply } = parseFunction(written, expandVariables)
  try {
    if (typeof value !== 'string') {
      throw invalid(`invalid input type: ${name} can only be used with string inputs`)
    }
    return apply(value)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    throw invalid(`error in \`${name}\` function: ${error.message}`)
  }
}

function parseFunction(
  written: string,
  expandVariables: ExpandVariables,
): { name: string; apply: (text: string) => ConfigValue } {
  if (written === 'expand_vars') return { name: written, apply: expandVariables }
  if (written === 'posix_escape') return { name: written, apply: posixEscape }
  const separator = /^split\('(?<separator>[^']*)'\)$/.exec(written)?.groups?.separator
  if (separator !== undefined) return { name: 'split', apply: (text) => split(text, separator) }
  const range = /^truncate\(\s*(?<offset>\d{1,9})\s*,\s*(?<length>\d{1,9})\s*\)$/.exec(written)?.groups
  if (!range) throw noSuchFunction(written)
  return { name: 'truncate', apply: (text) => truncate(text, Number(range.offset), Number(range.length)) }
}

function truncate(text: string, offset: number, length: number): string {
  return Array.from(text)
    .slice(offset, offset + length)
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
