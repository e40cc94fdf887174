import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

import type Docker from 'dockerode'

import { messageOf } from '../../../lib/errors.js'
import { ExecutorError } from '../executor.js'
import { isEngineAddress } from './engine-address.js'
import { engineFailure, statusOf } from './engine.js'
import type { EngineSettings } from './settings.js'
import { parseSshAddress, type SshAddress } from './ssh/ssh-address.js'
import { SshAgent } from './ssh/ssh-agent.js'
import { SshError } from './ssh/ssh-error.js'

// For an import, Node.js would look for the exports of the package first, with a parser that takes 5 MB.
const Client = createRequire(import.meta.url)('dockerode') as typeof Docker

const PLAIN_PORT = 2375
const TLS_PORT = 2376

/**
 * Creates a client for the engine in the settings, else for `DOCKER_HOST`, else for the local socket. Does not
 * contact the engine yet. Throws an `ExecutorError` if the certificates cannot be read, or if `DOCKER_HOST` is an
 * address of another form.
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
  const ssh = parseSshAddress(host)
  if (ssh) return connectBySsh(ssh, settings.sshKeyFile)
  const { hostname, port, protocol } = new URL(host)
  const isTls = protocol === 'https:' || usesTls(settings, environment)
  return new Client({
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (isTls ? TLS_PORT : PLAIN_PORT) : Number(port),
    protocol: isTls ? 'https' : 'http',
    ...(isTls ? certificates(settings, environment) : {}),
  })
}

/** The name of the host is only a header: the connections lead to the engine of the machine. */
function connectBySsh(address: SshAddress, keyFile: string | undefined): Docker {
  const agent = openAgent(address, keyFile)
  const docker = new Client({ host: 'docker', port: 80, protocol: 'http' })
  const modem: Modem = Object.assign(docker.modem as Omit<Modem, 'agent'>, { agent })
  const dial = modem.dial.bind(modem)
  modem.dial = (options, callback) =>
    dial(options, (error, result) => {
      if (!error || error instanceof SshError || statusOf(error) !== undefined) callback(error, result)
      else
        void agent
          .problem()
          .then((problem) => callback(problem ? new SshError(problem, { cause: error }) : error, result))
    })
  return docker
}

function openAgent(address: SshAddress, keyFile: string | undefined): SshAgent {
  try {
    return new SshAgent(address, keyFile)
  } catch (error) {
    throw engineFailure(error, 'connecting to it by ssh')
  }
}

interface Modem {
  agent: SshAgent
  dial(options: object, callback: (error: unknown, result: unknown) => void): void
}

/** Whether the engine and its containers run on this machine, judging by its settings. */
export function isEngineLocal(
  settings: EngineSettings,
  environment: NodeJS.ProcessEnv = process.env,
): boolean {
  if (settings.hasSeparateNetworks) return false
  const host = engineHost(settings, environment)
  return host === undefined || host.startsWith('unix://')
}

function engineHost({ host }: EngineSettings, environment: NodeJS.ProcessEnv): string | undefined {
  const named = host || environment['DOCKER_HOST']
  if (!named) return undefined
  return named.includes('://') ? named : `tcp://${named}`
}

function unsupportedAddress(host: string): ExecutorError {
  return new ExecutorError(
    `DOCKER_HOST is ${host}, but jobs run on engines at unix:///run/docker.sock, tcp://10.0.0.7:2376, ` +
      'ssh://user@machine or the like.',
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
