import { messageOf } from '../../../../lib/errors.js'
import { isRecord } from '../../../../lib/is-record.js'
import type { JobLog } from '../../../trace/job-log.js'
import type { RegistryAuth } from './auth-config.js'
import type { CredentialSource } from './credential-sources.js'
import { registryPathOf, registryPaths } from './registry-path.js'

interface FoundCredentials {
  auth: RegistryAuth
  source: string
  givenBy: 'job' | 'runner'
}

/** The addresses that each store has credentials for, by their normalized path. */
type Stores = Map<string, ReadonlyMap<string, string>>

/**
 * The credentials for an image. The longest matching path of any source wins, then the first source (runner
 * protocol, 7.6). Undefined if there are none. A failing program causes a warning.
 */
export async function findCredentials(
  sources: readonly CredentialSource[],
  image: string,
  log: Pick<JobLog, 'warning'>,
): Promise<FoundCredentials | undefined> {
  const paths = registryPaths(image)
  const host = paths.at(-1) ?? ''
  const stores: Stores = new Map()
  for (const path of paths) {
    for (const source of sources) {
      const auth = await lookUp(source, path, stores).catch((error: unknown) => {
        log.warning(`The credentials of ${source.name} for ${path} are not used: ${messageOf(error)}`)
        return undefined
      })
      if (auth)
        return { auth: { serveraddress: host, ...auth }, source: source.name, givenBy: source.givenBy }
    }
  }
  return undefined
}

/** Like docker: first the program for the registry, then the program for all, then the written entry. */
async function lookUp(
  { config, environment }: CredentialSource,
  path: string,
  stores: Stores,
): Promise<RegistryAuth | undefined> {
  const helper = config.helpers.get(path)
  const kept = helper && (await runCredentialHelper(helper.program, helper.server, environment))
  if (kept) return kept
  const written = config.auths.get(path)
  if (written || config.store === undefined) return written
  const server = (await serversOf(config.store, stores, environment)).get(path)
  return server === undefined ? undefined : runCredentialHelper(config.store, server, environment)
}

/** Calls each program once per image, even if it fails. */
async function serversOf(
  store: string,
  stores: Stores,
  environment: NodeJS.ProcessEnv,
): Promise<ReadonlyMap<string, string>> {
  const known = stores.get(store)
  if (known) return known
  stores.set(store, new Map())
  const servers = await listHelper(store, environment)
  stores.set(store, servers)
  return servers
}

const TIMEOUT_MILLISECONDS = 30_000
/** Maximum size of each output stream. */
const MAX_OUTPUT_BYTES = 1024 * 1024
/** The user name that a helper returns together with a token. */
const TOKEN_USER = '<token>'
/** The message of helpers without credentials, on standard output or standard error. */
const NOTHING_KNOWN = /credentials not found/i

/**
 * Asks `docker-credential-<program>` for the credentials of an address. Returns undefined if it has none. Throws
 * with the message of the program, which contains no secret, if it fails.
 */
async function runCredentialHelper(
  program: string,
  server: string,
  environment: NodeJS.ProcessEnv,
): Promise<RegistryAuth | undefined> {
  const response = await runHelper(program, 'get', server, environment)
  if (response === undefined) return undefined
  const { Username: username, Secret: secret } = response
  if (typeof username !== 'string' || typeof secret !== 'string' || secret === '') return undefined
  return username === TOKEN_USER ? { identitytoken: secret } : { username, password: secret }
}

/** The addresses that the program has credentials for, by their normalized path. */
async function listHelper(program: string, environment: NodeJS.ProcessEnv): Promise<Map<string, string>> {
  const response = (await runHelper(program, 'list', '', environment)) ?? {}
  return new Map(Object.keys(response).map((server) => [registryPathOf(server), server]))
}

async function runHelper(
  program: string,
  verb: 'get' | 'list',
  input: string,
  environment: NodeJS.ProcessEnv,
): Promise<Record<string, unknown> | undefined> {
  const name = `docker-credential-${program}`
  // Loaded on demand: few runners need it, and never while idle.
  const { execa } = await import('execa')
  const { exitCode, stdout, stderr, shortMessage, failed } = await execa(name, [verb], {
    input,
    env: environment,
    extendEnv: false,
    timeout: TIMEOUT_MILLISECONDS,
    maxBuffer: MAX_OUTPUT_BYTES,
    reject: false,
  })
  if (exitCode !== 0 && NOTHING_KNOWN.test(`${stdout}${stderr}`)) return undefined
  if (failed)
    throw new Error(
      exitCode === undefined
        ? (shortMessage ?? name)
        : `${name}: ${stderr.trim() || `exit code ${exitCode}`}`,
    )
  const response: unknown = parseResponse(stdout)
  if (isRecord(response)) return response
  throw new Error(`${name} returned something that is not a JSON object`)
}

function parseResponse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
