import { homedir } from 'node:os'
import { join } from 'node:path'

import { messageOf } from '../../../../lib/errors.js'
import { readIfThere } from '../../../../lib/files.js'
import type { RegistryCredentials } from '../../../../protocol/job-payload.js'
import type { JobLog } from '../../../trace/job-log.js'
import type { ExecutorJob } from '../../executor.js'
import { type AuthConfig, parseAuthConfig } from './auth-config.js'
import { registryPathOf } from './registry-path.js'

/** One source of credentials. */
export interface CredentialSource {
  /** Name for the log (runner protocol, 7.6). */
  name: string
  /** The owner of the credentials. Those of the runner apply to all its jobs. */
  givenBy: 'job' | 'runner'
  config: AuthConfig
  /**
   * Environment of the credential helpers that the configuration names. Only configurations of the runner may name
   * any.
   */
  environment: NodeJS.ProcessEnv
}

const VARIABLE = '$DOCKER_AUTH_CONFIG'

/**
 * The sources of credentials for a job, in order of precedence: the variable of the job, the variable of the runner, the
 * docker configuration of the runner's user, the coordinator (runner protocol, 7.6). A source that cannot be read causes
 * a warning. A job must not start programs on the host, so credential helpers in its variable are ignored with a warning.
 */
export async function credentialSources(
  job: Pick<ExecutorJob, 'authConfig' | 'credentials'>,
  settings: { authConfig?: string | undefined },
  log: Pick<JobLog, 'warning'>,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<CredentialSource[]> {
  const file = await readDockerConfig(environment)
  return sourcesOf(job, settings, file, log, environment)
}

/** The same without the docker configuration of the runner's user. */
export function variableSources(
  job: Pick<ExecutorJob, 'authConfig' | 'credentials'>,
  settings: { authConfig?: string | undefined },
  log: Pick<JobLog, 'warning'>,
  environment: NodeJS.ProcessEnv = process.env,
): CredentialSource[] {
  return sourcesOf(job, settings, undefined, log, environment)
}

function sourcesOf(
  job: Pick<ExecutorJob, 'authConfig' | 'credentials'>,
  settings: { authConfig?: string | undefined },
  file: { path: string; text: string } | undefined,
  log: Pick<JobLog, 'warning'>,
  environment: NodeJS.ProcessEnv,
): CredentialSource[] {
  const texts: (Omit<CredentialSource, 'config' | 'environment'> & { text: string | undefined })[] = [
    { name: VARIABLE, givenBy: 'job', text: job.authConfig },
    { name: VARIABLE, givenBy: 'runner', text: settings.authConfig ?? environment['DOCKER_AUTH_CONFIG'] },
    { name: file?.path ?? '', givenBy: 'runner', text: file?.text },
  ]
  const written = texts.flatMap(({ text, name, givenBy }): CredentialSource[] => {
    const config = text ? readConfig(text, name, log) : undefined
    if (!config) return []
    if (givenBy === 'job') {
      return [{ name, givenBy, config: withoutHelpers(config, name, log), environment: {} }]
    }
    return [{ name, givenBy, config, environment: helperEnvironment(environment) }]
  })
  return [...written, ...payloadSource(job.credentials ?? [])]
}

function withoutHelpers(config: AuthConfig, name: string, log: Pick<JobLog, 'warning'>): AuthConfig {
  if (config.helpers.size === 0 && config.store === undefined) return config
  log.warning(
    `"credHelpers" and "credsStore" in ${name} of the job are ignored: only the settings of the runner may name credential helpers`,
  )
  return { auths: config.auths, helpers: new Map(), store: undefined }
}

function readConfig(text: string, name: string, log: Pick<JobLog, 'warning'>): AuthConfig | undefined {
  try {
    return parseAuthConfig(text)
  } catch (error) {
    log.warning(`The credentials in ${name} are not used: ${messageOf(error)}`)
    return undefined
  }
}

async function readDockerConfig(
  environment: NodeJS.ProcessEnv,
): Promise<{ path: string; text: string } | undefined> {
  const home = environment['HOME'] ?? homedir()
  const folder = environment['DOCKER_CONFIG'] ?? join(home, '.docker')
  for (const path of [join(folder, 'config.json'), join(home, '.dockercfg')]) {
    const text = await readIfThere(path)
    if (text !== undefined) return { path, text }
  }
  return undefined
}

function payloadSource(credentials: readonly RegistryCredentials[]): CredentialSource[] {
  const registries = credentials.filter(({ type }) => type === 'registry')
  if (registries.length === 0) return []
  const auths = registries.map(
    ({ url, username, password }) => [registryPathOf(url), { username, password }] as const,
  )
  // Reversed, because the first entry of an address must win, and a map keeps the last one.
  const config = { auths: new Map(auths.reverse()), helpers: new Map<string, never>(), store: undefined }
  return [{ name: 'job payload (GitLab Registry)', givenBy: 'job', config, environment: {} }]
}

/** Variables that a program needs to run and to find a keychain, a proxy or a certificate authority. */
const NAMES = new Set([
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'LANG',
  'LC_ALL',
  'TMPDIR',
  'DOCKER_CONFIG',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_RUNTIME_DIR',
  'DBUS_SESSION_BUS_ADDRESS',
  'GNUPGHOME',
  'PASSWORD_STORE_DIR',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
])

/** Settings of the helpers of the large cloud providers. */
const PREFIXES = ['AWS_', 'AZURE_', 'CLOUDSDK_', 'GOOGLE_']

/** The part of the daemon's environment that is passed to a credential helper. It contains no token of a runner. */
function helperEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(
      ([name]) => NAMES.has(name) || PREFIXES.some((prefix) => name.startsWith(prefix)),
    ),
  )
}
