import { createRequire } from 'node:module'

import type * as Re2 from 're2js'

import type { TableReader } from '../table-reader.js'

/** Reads a regular expression in the syntax of RE2, as the reference runner has it. */
export function readPattern(reader: TableReader, key: string): string | undefined {
  return reader.parsed(key, 'a regular expression (RE2)', (text) => (isPattern(text) ? text : undefined))
}

function isPattern(text: string): boolean {
  // Loaded on demand, because most runners have no executor that needs it.
  const { RE2JS } = createRequire(import.meta.url)('re2js') as typeof Re2
  try {
    RE2JS.compile(text)
    return true
  } catch {
    return false
  }
}
