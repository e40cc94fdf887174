import { isRecord } from '../../../../lib/is-record.js'
import { registryPathOf } from './registry-path.js'

/** Credentials that the engine sends to a registry. */
export interface RegistryAuth {
  username?: string
  password?: string
  identitytoken?: string
  registrytoken?: string
  serveraddress?: string
}

/** A docker `config.json`. Keys are normalized by `registryPathOf`. */
export interface AuthConfig {
  auths: ReadonlyMap<string, RegistryAuth>
  /** The `docker-credential-<program>` to call, and the server address to pass to it. */
  helpers: ReadonlyMap<string, { program: string; server: string }>
  /** The program for all registries without a helper of their own. */
  store: string | undefined
}

const PROGRAM = /^[\w][\w.-]*$/

/**
 * Parses the text of a docker `config.json`, or of the older `.dockercfg`, which contains only `auths`. Errors name
 * the location and never the content, because the text is a secret.
 */
export function parseAuthConfig(text: string): AuthConfig {
  const config = parseTable(text)
  const isWhole = ['auths', 'credHelpers', 'credsStore'].some((key) => key in config)
  const auths = isWhole ? (config['auths'] ?? {}) : config
  const helpers = config['credHelpers'] ?? {}
  if (!isRecord(auths)) throw new Error('"auths" is not an object')
  if (!isRecord(helpers)) throw new Error('"credHelpers" is not an object')
  return {
    auths: new Map(Object.entries(auths).flatMap(([key, entry]) => readAuth(key, entry))),
    helpers: new Map(
      Object.entries(helpers).map(([server, program]) => [
        registryPathOf(server),
        { program: programName(program, 'credHelpers'), server },
      ]),
    ),
    store: config['credsStore'] ? programName(config['credsStore'], 'credsStore') : undefined,
  }
}

function parseTable(text: string): Record<string, unknown> {
  let config: unknown
  try {
    config = JSON.parse(text)
  } catch {
    throw new Error('it is not valid JSON')
  }
  if (!isRecord(config)) throw new Error('it is not a JSON object')
  return config
}

/** Returns none for an empty entry. docker writes those for registries whose password is in a credential store. */
function readAuth(key: string, entry: unknown): [string, RegistryAuth][] {
  if (!isRecord(entry)) throw new Error(`the entry of "${key}" is not an object`)
  const auth: RegistryAuth = {
    ...textsOf(entry, ['username', 'password', 'identitytoken', 'registrytoken']),
    ...decodeBasic(key, entry['auth']),
  }
  return Object.keys(auth).length === 0 ? [] : [[registryPathOf(key), auth]]
}

function decodeBasic(key: string, encoded: unknown): RegistryAuth {
  if (typeof encoded !== 'string' || encoded === '') return {}
  const text = Buffer.from(encoded, 'base64').toString('utf8').replace(/\0+$/, '')
  const colon = text.indexOf(':')
  if (colon < 1) throw new Error(`the "auth" of "${key}" is not name:password in base64`)
  return { username: text.slice(0, colon), password: text.slice(colon + 1) }
}

function textsOf(entry: Record<string, unknown>, keys: (keyof RegistryAuth)[]): RegistryAuth {
  return Object.fromEntries(
    keys.flatMap((key) => (typeof entry[key] === 'string' && entry[key] !== '' ? [[key, entry[key]]] : [])),
  )
}

/** A path would let a job run any program of the machine (runner protocol, 7.6). */
function programName(value: unknown, key: string): string {
  if (typeof value === 'string' && PROGRAM.test(value)) return value
  throw new Error(`"${key}" must hold names of programs without a path`)
}
