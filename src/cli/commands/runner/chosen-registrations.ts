import { CoordinatorClient } from '../../../runner/client/coordinator-client.js'
import { shortToken } from '../../../runner/client/runner-info.js'
import { entriesOf, readConfigFile } from '../../../runner/config/config-file.js'
import { withDefaultTlsFiles } from '../../../runner/config/default-tls-files.js'
import { fromEnvironment } from '../../../runner/config/from-environment.js'
import { loadSystemId } from '../../../runner/config/system-id.js'
import type { Table } from '../../../runner/config/table-reader.js'
import { CommandError } from './action.js'

export interface Choice {
  name?: string
  url?: string
  token?: string
  id?: number
}

/** The properties of a registration that commands need. */
export interface ListedRegistration {
  name: string
  url: string
  token: string
  executor: string
  table: Table
}

/** The registrations in the file, in order. */
export async function readRegistrations(file: string): Promise<ListedRegistration[]> {
  const entries = await registrationsIn(file)
  if (!entries) throw new CommandError([`${file} does not exist; \`switchyard runner register\` creates it`])
  return entries
}

/** Like `readRegistrations`, but undefined if there is no file. */
export async function registrationsIn(file: string): Promise<ListedRegistration[] | undefined> {
  const table = await readConfigFile(file)
  return table && entriesOf(table).map(listedRegistration)
}

/** One of each runner: a file may have the same token several times. */
export function distinctRunners(entries: ListedRegistration[]): ListedRegistration[] {
  return entries.filter((entry, index) => entries.findIndex((other) => isSameRunner(entry, other)) === index)
}

/** Whether both are one runner of one coordinator. */
export function isSameRunner(
  one: Pick<ListedRegistration, 'url' | 'token'>,
  other: Pick<ListedRegistration, 'url' | 'token'>,
): boolean {
  const address = (url: string) => url.replace(/\/+$/, '')
  return one.token === other.token && address(one.url) === address(other.url)
}

export function listedRegistration(entry: Table): ListedRegistration {
  return {
    name: textOrEmpty(entry['name']),
    url: fromEnvironment(textOrEmpty(entry['url']), process.env),
    token: fromEnvironment(textOrEmpty(entry['token']), process.env),
    executor: textOrEmpty(entry['executor']),
    table: entry,
  }
}

/** The registrations that match all criteria. */
export function choose(entries: ListedRegistration[], choice: Choice): ListedRegistration[] {
  return entries.filter(
    (entry) =>
      (choice.name === undefined || entry.name === choice.name) &&
      (choice.url === undefined || entry.url === choice.url) &&
      (choice.token === undefined || entry.token === choice.token) &&
      (choice.id === undefined || entry.table['id'] === choice.id),
  )
}

/** Like `choose`, but an error if no registration matches. */
export function chooseSome(
  file: string,
  entries: ListedRegistration[],
  choice: Choice,
): ListedRegistration[] {
  const chosen = choose(entries, choice)
  if (chosen.length > 0) return chosen
  throw new CommandError([
    entries.length === 0
      ? `${file} has no runners; \`switchyard runner register\` adds one`
      : `No runner of ${file} matches; \`switchyard runner list\` lists them`,
  ])
}

/** Calls the coordinator of a runner. */
export async function withClient<T>(
  file: string,
  entry: ListedRegistration,
  call: (client: CoordinatorClient) => Promise<T>,
): Promise<T> {
  const { url, token, executor, table } = entry
  const named = {
    caFile: textOrEmpty(table['tls-ca-file']),
    certFile: textOrEmpty(table['tls-cert-file']),
    keyFile: textOrEmpty(table['tls-key-file']),
  }
  const tls = withDefaultTlsFiles(named, url, file)
  const systemId = await loadSystemId(file)
  const client = new CoordinatorClient({ url, token, systemId, executor: executor || 'docker', tls })
  try {
    return await call(client)
  } finally {
    await client.close()
  }
}

export function describeRegistration(entry: ListedRegistration): string {
  return `Runner "${entry.name}" (${shortToken(entry.token)})`
}

function textOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
