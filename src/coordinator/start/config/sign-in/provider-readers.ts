import { readFileSync } from 'node:fs'

import { messageOf } from '../../../../lib/errors.js'
import { readText } from '../readers.js'
import type { ReadSetting, SettingSources } from '../setting-sources.js'

/** The secret `key` of the table, such as `client_secret`, or that in the file of `<key>_file`. */
export function readSecret(sources: SettingSources, table: string, key: string): string | undefined {
  const secret = sources.read(`${table}.${key}`, readText, undefined)
  const ofFile = sources.read(`${table}.${key}_file`, readSecretFile, undefined)
  if (sources.has(`${table}.${key}`) && sources.has(`${table}.${key}_file`)) {
    sources.refuse(`${table}.${key}_file: leave out either this or ${table}.${key}`)
  }
  return secret ?? ofFile
}

const readSecretFile = readTextFile('the secret')

/** The content of a file, without spaces around it; `what` names it for the message. */
export function readTextFile(what: string): ReadSetting<string> {
  return (raw) => {
    const path = readText(raw)
    const text = readFile(path, what).trim()
    if (text === '') throw new Error(`must be a file with ${what}; ${path} is empty`)
    return text
  }
}

function readFile(path: string, what: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new Error(`must be a file with ${what}: ${messageOf(error)}`, { cause: error })
  }
}

/** A setting without a default; `what` names its value for the message. */
export function required<T>(
  sources: SettingSources,
  name: string,
  read: ReadSetting<T>,
  what: string,
): T | undefined {
  if (!sources.has(name)) sources.refuse(`${name}: is required; ${what}`)
  return sources.read(name, read, undefined)
}

/** A text with commas, or a list of texts. */
export function readList(what: string): ReadSetting<string[]> {
  return (raw) => {
    const parts: unknown[] = typeof raw === 'string' ? raw.split(',') : Array.isArray(raw) ? raw : []
    const texts = parts.map((part) => (typeof part === 'string' ? part.trim() : ''))
    if (texts.length === 0 || texts.includes('')) throw new Error(`must be ${what}, separated by commas`)
    return texts
  }
}
