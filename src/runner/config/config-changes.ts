import { isDeepStrictEqual } from 'node:util'

import { type ConfigChange, entriesOf } from './config-file.js'
import { appendEntry, removeEntries, setInEntry } from './edit-config-text.js'
import { fromEnvironment } from './from-environment.js'
import type { Table } from './table-reader.js'

/** The keys that the file stores for the token of a runner (runner protocol, 9.3). */
export interface StoredToken {
  token: string
  obtainedAt: Date
  /** Undefined for a token that does not expire. */
  expiresAt: Date | undefined
}

/** Selects the `[[runners]]` tables that a change applies to. */
export type RegistrationFilter = (entry: Table) => boolean

export function addEntry(entry: Table): ConfigChange {
  return {
    table: (table) => ({ ...table, runners: [...entriesOf(table), entry] }),
    text: (text) => appendEntry(text, entry),
  }
}

export function deleteRegistrations(isDropped: RegistrationFilter): ConfigChange {
  return {
    table: (table) => {
      const { runners: _, ...others } = table
      const kept = entriesOf(table).filter((entry) => !isDropped(entry))
      return kept.length === 0 ? others : { ...others, runners: kept }
    },
    text: (text, table) => removeEntries(text, findIndexes(table, isDropped)),
  }
}

/** Replaces the token of the selected tables. One runner may appear in the file several times. */
export function storeToken(isOwner: RegistrationFilter, stored: StoredToken): ConfigChange {
  const values = tokenKeys(stored)
  return {
    table: (table) => ({
      ...table,
      runners: entriesOf(table).map((entry) => (isOwner(entry) ? { ...entry, ...values } : entry)),
    }),
    text: (text, table) =>
      findIndexes(table, isOwner).reduce((edited, index) => setInEntry(edited, index, values), text),
  }
}

/**
 * The keys of a new token. The expiry of a token that does not expire is written as the reference runner writes it.
 */
export function tokenKeys({ token, obtainedAt, expiresAt }: StoredToken): Table {
  return { token, token_obtained_at: wholeSeconds(obtainedAt), token_expires_at: expiresAt ?? NO_END }
}

/** Selects the table with exactly these keys and values. */
export function isEntry(wanted: Table): RegistrationFilter {
  return (entry) => isDeepStrictEqual(entry, wanted)
}

/** Selects the tables with this token, after expansion of environment variables. */
export function hasToken(url: string, token: string, environment: NodeJS.ProcessEnv): RegistrationFilter {
  const says = (value: unknown, wanted: string) =>
    typeof value === 'string' && fromEnvironment(value, environment) === wanted
  return (entry) => says(entry['url'], url) && says(entry['token'], token)
}

const NO_END = new Date('0001-01-01T00:00:00Z')

function wholeSeconds(time: Date): Date {
  return new Date(Math.floor(time.getTime() / 1000) * 1000)
}

function findIndexes(table: Table, isMeant: RegistrationFilter): number[] {
  return entriesOf(table).flatMap((entry, index) => (isMeant(entry) ? [index] : []))
}
