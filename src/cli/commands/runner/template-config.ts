import { entriesOf, readConfigFile } from '../../../runner/config/config-file.js'
import { isTable, type Table } from '../../../runner/config/table-reader.js'
import { CommandError } from './action.js'

/** Keys of one registered runner, which a template cannot contain. */
const OWN_KEYS = ['id', 'token', 'token_obtained_at', 'token_expires_at']

/** The single `[[runners]]` table of a template. Other content has no effect (runner protocol, 9.6). */
export async function readTemplate(file: string): Promise<Table> {
  const table = await readConfigFile(file)
  if (!table) throw new CommandError([`The template ${file} does not exist`])
  const [entry, ...others] = entriesOf(table)
  if (!entry || others.length > 0) {
    throw new CommandError([`The template ${file} must have exactly one [[runners]] table`])
  }
  return Object.fromEntries(Object.entries(entry).filter(([key]) => !OWN_KEYS.includes(key)))
}

/** Merges two tables recursively. `given` takes precedence, key by key. Lists are replaced as a whole. */
export function mergeTables(template: Table, given: Table): Table {
  const merged: Table = { ...template }
  for (const [key, value] of Object.entries(given)) {
    const below = template[key]
    merged[key] = isTable(below) && isTable(value) ? mergeTables(below, value) : value
  }
  return merged
}
