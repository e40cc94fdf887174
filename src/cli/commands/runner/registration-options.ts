import { Option } from 'commander'

import type { KeyKind, KnownKey } from '../../../runner/config/keys/known-key.js'
import { RUNNER_KEYS } from '../../../runner/config/keys/known-keys.js'
import { isTable, type Table } from '../../../runner/config/table-reader.js'
import * as unsupported from '../../../runner/config/unsupported-keys.js'
import {
  readBoolean,
  readInteger,
  readList,
  readMap,
  readSwitches,
  readTable,
  readTables,
  readText,
} from './flag-values.js'
import { withVariable } from './with-variable.js'

const PLACEHOLDERS: Record<KeyKind, string> = {
  string: '<text>',
  integer: '<number>',
  boolean: '[boolean]',
  list: '<text>',
  'one-or-more': '<text>',
  map: '<key=value>',
  switches: '<name:boolean>',
  table: '<json>',
  tables: '<text>',
}

const GROUPS: Record<string, string> = {
  docker: 'Containers, [runners.docker] (lists: give the flag several times):',
  kubernetes: 'Pods, [runners.kubernetes] (lists: give the flag several times):',
  cache: 'Cache, [runners.cache]:',
}

/** By the tables of the executors. */
const WITHOUT_EFFECT: Record<string, readonly string[]> = {
  docker: unsupported.DOCKER,
  kubernetes: unsupported.KUBERNETES,
}

/** A flag and a variable for every key of a `[[runners]]` table (runner protocol, 9.6). */
export function registrationOptions(): Option[] {
  const keys = [...RUNNER_KEYS.filter(hasEffect), ...RUNNER_KEYS.filter((key) => !hasEffect(key))]
  return keys.map((key) =>
    withVariable(parsed(key, new Option(flagsOf(key), key.help)), key.variable).helpGroup(groupOf(key)),
  )
}

/** The table of the given values, with the keys of the file. `values` are the parsed options of `registrationOptions`. */
export function registrationFrom(values: Record<string, unknown>): Table {
  const entry: Table = {}
  for (const key of RUNNER_KEYS) {
    const value = values[new Option(flagsOf(key)).attributeName()]
    if (value !== undefined) setAt(entry, key.path, key.kind === 'one-or-more' ? oneOrMore(value) : value)
  }
  return entry
}

function flagsOf({ alias, flag, kind }: KnownKey): string {
  return `${alias === undefined ? '' : `${alias}, `}${flag} ${PLACEHOLDERS[kind]}`
}

function groupOf(key: KnownKey): string {
  if (!hasEffect(key)) return 'Without effect on this runner; written into the settings nevertheless:'
  return GROUPS[key.path[0] ?? ''] ?? 'Runner, [[runners]]:'
}

function hasEffect({ path: [key = '', inner = ''] }: KnownKey): boolean {
  return !unsupported.ENTRY.includes(key) && !(WITHOUT_EFFECT[key] ?? []).includes(inner)
}

function parsed(key: KnownKey, option: Option): Option {
  switch (key.kind) {
    case 'string':
      return option.argParser(readText)
    case 'integer':
      return option.argParser(readInteger)
    case 'boolean':
      return option.preset('true').argParser(readBoolean)
    case 'list':
    case 'one-or-more':
      return option.argParser(readList)
    case 'map':
      return option.argParser(readMap)
    case 'switches':
      return option.argParser(readSwitches)
    case 'table':
      return option.argParser(readTable)
    case 'tables':
      return option.argParser(readTables)
  }
}

function oneOrMore(value: unknown): unknown {
  return Array.isArray(value) && value.length === 1 ? value[0] : value
}

function setAt(table: Table, [key = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    table[key] = value
    return
  }
  const inner = table[key]
  const next: Table = isTable(inner) ? inner : {}
  table[key] = next
  setAt(next, rest, value)
}
