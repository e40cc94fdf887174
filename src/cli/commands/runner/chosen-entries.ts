import { CoordinatorClient } from '../../../runner/client.js'
import { entriesOf, readConfigFile } from '../../../runner/config/config-file.js'
import type { Table } from '../../../runner/config/table-reader.js'
import { CommandError } from './action.js'

export interface Choice {
  name?: string
  url?: string
  token?: string
}

/** What commands about registered runners need of an entry. */
export interface ListedEntry {
  name: string
  url: string
  token: string
  executor: string
  table: Table
}

/** The entries of the file, in their order. */
export async function readEntries(file: string): Promise<{ table: Table; entries: ListedEntry[] }> {
  const table = await readConfigFile(file)
  if (!table) throw new CommandError([`${file} does not exist`])
  const entries = entriesOf(table).map((entry) => ({
    name: textOf(entry['name']),
    url: textOf(entry['url']),
    token: textOf(entry['token']),
    executor: textOf(entry['executor']),
    table: entry,
  }))
  return { table, entries }
}

/** The entries that fit everything that was said. */
export function choose(entries: ListedEntry[], choice: Choice): ListedEntry[] {
  return entries.filter(
    (entry) =>
      (choice.name === undefined || entry.name === choice.name) &&
      (choice.url === undefined || entry.url === choice.url) &&
      (choice.token === undefined || entry.token === choice.token),
  )
}

export function clientFor(entry: ListedEntry, systemId: string): CoordinatorClient {
  const { url, token, executor, table } = entry
  const tls = {
    caFile: textOf(table['tls-ca-file']),
    certFile: textOf(table['tls-cert-file']),
    keyFile: textOf(table['tls-key-file']),
  }
  return new CoordinatorClient({ url, token, systemId, executor, tls })
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
