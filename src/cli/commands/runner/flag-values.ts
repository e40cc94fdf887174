import { InvalidArgumentError } from 'commander'

import { isTable, type Table } from '../../../runner/config/table-reader.js'

/*
 * Parsing of flags and variables. An empty text counts as absent. A repeatable option takes one value per flag, or
 * one per line, because mount options and values may contain commas.
 */

export function readText(text: string): string | undefined {
  return text === '' ? undefined : text
}

export function readBoolean(text: string): boolean {
  if (['1', 't', 'true'].includes(text.toLowerCase())) return true
  if (['0', 'f', 'false'].includes(text.toLowerCase())) return false
  throw new InvalidArgumentError('It must be true or false.')
}

export function readInteger(text: string): number | undefined {
  if (text === '') return undefined
  if (!/^-?\d+$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

/** One of `choices`. `others` are aliases. */
export function choiceReader<T extends string>(
  choices: readonly T[],
  others: Record<string, T> = {},
): (text: string) => T | undefined {
  return (text) => {
    if (text === '') return undefined
    const found = choices.find((choice) => choice === text) ?? others[text]
    if (found === undefined) throw new InvalidArgumentError(`It must be one of ${choices.join(', ')}.`)
    return found
  }
}

export function readList(text: string, previous: string[] | undefined): string[] | undefined {
  return joined(previous, linesOf(text))
}

/** `key=value` or `key:value`, whichever separator comes first, or a JSON object of strings. */
export function readMap(
  text: string,
  previous: Record<string, string> | undefined,
): Record<string, string> | undefined {
  if (text === '') return previous
  const json = text.startsWith('{') ? readJson(text) : undefined
  const pairs = json === undefined ? linesOf(text).map(readPair) : Object.entries(json).map(asTextPair)
  return { ...previous, ...Object.fromEntries(pairs) }
}

/** As `readMap`, with true and false as values. */
export function readSwitches(
  text: string,
  previous: Record<string, boolean> | undefined,
): Record<string, boolean> | undefined {
  const map = readMap(text, undefined)
  if (map === undefined) return previous
  const pairs = Object.entries(map).map(([key, value]) => [key, readBoolean(value)] as const)
  return { ...previous, ...Object.fromEntries(pairs) }
}

export function readTable(text: string): Table | undefined {
  return text === '' ? undefined : readJson(text)
}

/** A table as JSON, or only the value of its `name`. */
export function readTables(text: string, previous: Table[] | undefined): Table[] | undefined {
  return joined(
    previous,
    linesOf(text).map((line) => (line.startsWith('{') ? readJson(line) : { name: line })),
  )
}

/** For texts that cannot contain commas. */
export function splitList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

function joined<T>(previous: T[] | undefined, more: T[]): T[] | undefined {
  return more.length === 0 ? previous : [...(previous ?? []), ...more]
}

function readPair(text: string): [string, string] {
  const [, key, value] = /^([^=:]+)[=:]([^]*)$/.exec(text) ?? []
  if (key === undefined || value === undefined) {
    throw new InvalidArgumentError('It must have the form key=value.')
  }
  return [key, value]
}

function asTextPair([key, value]: [string, unknown]): [string, string] {
  if (typeof value === 'string') return [key, value]
  if (typeof value === 'number' || typeof value === 'boolean') return [key, String(value)]
  throw new InvalidArgumentError(`The value of "${key}" must be a string.`)
}

function readJson(text: string): Table {
  try {
    const value: unknown = JSON.parse(text)
    if (isTable(value)) return value
  } catch {
    // Reported below, together with JSON that is not an object.
  }
  throw new InvalidArgumentError('It must be a JSON object.')
}
