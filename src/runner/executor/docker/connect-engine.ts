import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

import type Docker from 'dockerode'

import { messageOf } from '../../../lib/errors.js'
import { ExecutorError } from '../executor.js'
import { isEngineAddress } from './engine-address.js'
import type { EngineSettings } from './settings.js'

// For an import, Node.js would look for the exports of the package first, with a parser that takes 5 MB.
const Client = createRequire(import.meta.url)('dockerode') as typeof Docker

const PLAIN_PORT = 2375
const TLS_PORT = 2376

/**
 * Creates a client for the engine in the settings, else for `DOCKER_HOST`, else for the local socket. Does not
 * contact the engine yet. Throws an `ExecutorError` if the certificates cannot be read, or if `DOCKER_HOST` is an
 * address that only other clients understand, such as `ssh://`.
 */
export function connectEngine(
  settings: EngineSettings = {},
  environment: NodeJS.ProcessEnv = process.env,
): Docker {
  const host = engineHost(settings, environment)
  if (host === undefined) return new Client()
  if (!isEngineAddress(host)) throw unsupportedAddress(host)
  // Without an explicit undefined host and a protocol, the client would take them from DOCKER_HOST.
  if (host.startsWith('unix://'))
    return new Client({ socketPath: host.slice('unix://'.length), host: undefined, protocol: 'http' })
  const { hostname, port, protocol } = new URL(host)
  const isTls = protocol === 'https:' || usesTls(settings, environment)
  return new Client({
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (isTls ? TLS_PORT : PLAIN_PORT) : Number(port),
    protocol: isTls ? 'https' : 'http',
    ...(isTls ? certificates(settings, environment) : {}),
  })
}

/** Whether the engine runs on this machine, judging by its address. */
export function isEngineLocal(
  settings: EngineSettings,
  environment: NodeJS.ProcessEnv = process.env,
): boolean {
  const host = engineHost(settings, environment)
  return host === undefined || host.startsWith('unix://')
}

function engineHost({ host }: EngineSettings, environment: NodeJS.ProcessEnv): string | undefined {
  const named = host || environment['DOCKER_HOST']
  if (!named) return undefined
  return named.includes('://') ? named : `tcp://${named}`
}

function unsupportedAddress(host: string): ExecutorError {
  const remedy = host.startsWith('ssh://')
    ? ` Forward the socket of that engine (ssh -nNT -L /run/remote-docker.sock:/var/run/docker.sock ${host}) and name the local end.`
    : ''
  return new ExecutorError(
    `DOCKER_HOST is ${host}, but jobs run on engines at unix:///run/docker.sock, tcp://10.0.0.7:2376 or the like.${remedy}`,
    'runner_system_failure',
  )
}

/** The variables of the environment apply only to the engine that the environment names. */
function usesTls({ host, tlsVerify }: EngineSettings, environment: NodeJS.ProcessEnv): boolean {
  return tlsVerify ?? (!host && Boolean(environment['DOCKER_TLS_VERIFY']))
}

function certificates({ tlsCertPath }: EngineSettings, environment: NodeJS.ProcessEnv) {
  const folder = tlsCertPath ?? environment['DOCKER_CERT_PATH'] ?? join(homedir(), '.docker')
  const read = (name: string) => readFileSync(join(folder, name))
  try {
    return { ca: read('ca.pem'), cert: read('cert.pem'), key: read('key.pem') }
  } catch (error) {
    const message = `The certificates for the Docker engine cannot be read (tls_cert_path): ${messageOf(error)}`
    throw new ExecutorError(message, 'runner_system_failure', { cause: error })
  }
}
