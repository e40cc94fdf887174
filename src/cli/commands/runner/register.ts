import { hostname } from 'node:os'

import { Command } from 'commander'

import { messageOf } from '../../../lib/errors.js'
import type { RunnerCredentials } from '../../../protocol/runner-registration.js'
import { CoordinatorClient, type Registration } from '../../../runner/client.js'
import { entriesOf, readConfigFile, writeConfigFile } from '../../../runner/config/config-file.js'
import { readSettings } from '../../../runner/config/read-settings.js'
import { loadSystemId } from '../../../runner/config/system-id.js'
import type { Table } from '../../../runner/config/table-reader.js'
import { shortToken } from '../../../runner/short-token.js'
import { action, CommandError } from './action.js'
import { newEntry } from './new-entry.js'
import { splitList } from './options.js'
import { type RegisterOptions, registerOptions } from './register-options.js'

type Complete = RegisterOptions & { url: string; executor: string }

const AUTHENTICATION_PREFIX = 'glrt-'

export function registerCommand(): Command {
  const command = new Command('register').description('make this machine known to a coordinator')
  registerOptions().forEach((option) => command.addOption(option))
  return command.action(action(register))
}

/**
 * Registers, or takes over a runner that was created by a user, and adds it to the settings (runner protocol, 1.4,
 * 1.6 and 9.6). A registration that cannot be written down is taken back.
 */
export async function register(options: RegisterOptions): Promise<void> {
  const complete = checkComplete(options)
  const table = (await readConfigFile(complete.config)) ?? { concurrent: 1, check_interval: 0 }
  const name = complete.name ?? complete.description ?? hostname()
  checkEntry(complete, name)
  const systemId = await loadSystemId(complete.config)
  const existing = existingToken(complete)
  const credentials = existing
    ? await takeOver(complete, existing, systemId)
    : await registerNew(complete, name, systemId)
  try {
    const entry = newEntry(complete, name, credentials, new Date())
    await writeConfigFile(complete.config, { ...table, runners: [...entriesOf(table), entry] })
  } catch (error) {
    if (!existing && !complete.leaveRunner) await takeBack(complete, credentials, systemId)
    throw error
  }
  process.stdout.write(
    `Runner "${name}" (${shortToken(credentials.token)}) is registered; its settings are in ${complete.config}\n`,
  )
}

function checkComplete(options: RegisterOptions): Complete {
  const { url, executor } = options
  const missing: string[] = []
  if (!url) missing.push('--url (CI_SERVER_URL)')
  if (!options.token && !options.registrationToken) {
    missing.push('--token (CI_SERVER_TOKEN) or --registration-token (REGISTRATION_TOKEN)')
  }
  if (!executor) missing.push('--executor (RUNNER_EXECUTOR)')
  if (!options.dockerImage) missing.push('--docker-image (DOCKER_IMAGE)')
  if (missing.length > 0 || !url || !executor) {
    throw new CommandError(missing.map((option) => `${option} is missing`))
  }
  return { ...options, url, executor }
}

/** Settings that the daemon would refuse are refused before the coordinator hears of the runner. */
function checkEntry(options: Complete, name: string): void {
  const entry: Table = newEntry(
    options,
    name,
    { id: 1, token: 'not-known-yet', token_expires_at: null },
    new Date(),
  )
  readSettings({ runners: [entry] }, 'The flags do not fit together', process.env)
}

function existingToken(options: Complete): string | undefined {
  const { token, registrationToken } = options
  if (token) {
    const given = serverSideFlags(options)
    if (given.length === 0) return token
    throw new CommandError(
      given.map((flag) => `${flag} is kept by the coordinator and cannot be given with --token`),
    )
  }
  if (!registrationToken?.startsWith(AUTHENTICATION_PREFIX)) return undefined
  for (const flag of serverSideFlags(options)) {
    process.stderr.write(`${flag} is ignored: the coordinator keeps it\n`)
  }
  return registrationToken
}

function serverSideFlags(options: Complete): string[] {
  const flags = {
    '--tag-list': options.tagList,
    '--run-untagged': options.runUntagged,
    '--locked': options.locked,
    '--access-level': options.accessLevel,
    '--maximum-timeout': options.maximumTimeout,
    '--paused': options.paused,
    '--maintenance-note': options.maintenanceNote,
  }
  return Object.entries(flags).flatMap(([flag, value]) => (value === undefined ? [] : [flag]))
}

async function takeOver(options: Complete, token: string, systemId: string): Promise<RunnerCredentials> {
  return withClient(options, token, systemId, async (client) => {
    const credentials = await client.verifyRunner()
    if (!credentials?.id) {
      throw new CommandError(['The coordinator is too old for --token; use --registration-token'])
    }
    return credentials
  })
}

async function registerNew(options: Complete, name: string, systemId: string): Promise<RunnerCredentials> {
  return withClient(options, '', systemId, (client) => client.registerRunner(registration(options, name)))
}

function registration(options: Complete, name: string): Registration {
  const tags = splitList(options.tagList ?? '')
  return {
    token: options.registrationToken ?? '',
    description: name,
    ...(tags.length > 0 ? { tag_list: tags.join(',') } : {}),
    run_untagged: options.runUntagged ?? tags.length === 0,
    locked: options.locked ?? true,
    paused: options.paused ?? false,
    ...(options.accessLevel ? { access_level: options.accessLevel } : {}),
    ...(options.maximumTimeout ? { maximum_timeout: options.maximumTimeout } : {}),
    ...(options.maintenanceNote ? { maintenance_note: options.maintenanceNote } : {}),
  }
}

async function takeBack(options: Complete, credentials: RunnerCredentials, systemId: string): Promise<void> {
  try {
    await withClient(options, credentials.token, systemId, (client) => client.unregisterRunner())
  } catch (error) {
    process.stderr.write(`The runner could not be removed from the coordinator again: ${messageOf(error)}\n`)
  }
}

async function withClient<T>(
  options: Complete,
  token: string,
  systemId: string,
  work: (client: CoordinatorClient) => Promise<T>,
): Promise<T> {
  const tls = { caFile: options.tlsCaFile, certFile: options.tlsCertFile, keyFile: options.tlsKeyFile }
  const client = new CoordinatorClient({ url: options.url, token, systemId, executor: options.executor, tls })
  try {
    return await work(client)
  } finally {
    await client.close()
  }
}
