import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

import type { Cluster } from '@kubernetes/client-node'

import { messageOf } from '../../../../../lib/errors.js'
import { isRecord } from '../../../../../lib/is-record.js'
import { MINUTE, SECOND } from '../../../../../lib/time-units.js'
import { type Authenticator, credentialsError, type Grant } from './credentials.js'

const run = promisify(execFile)

const TIMEOUT = MINUTE
const MAX_OUTPUT = 1024 * 1024
/** A token that expires while a call is on its way would be refused. */
const EARLY = 10 * SECOND

/** `exec` of a user in a kubeconfig. */
export interface PluginSettings {
  user: string
  command: string
  args: string[]
  env: Record<string, string>
  apiVersion: string
  providesClusterInfo: boolean
  installHint: string | undefined
}

/** Throws a `ClusterError` that names the user. */
export function readPluginSettings(value: unknown, user: string): PluginSettings {
  if (!isRecord(value) || typeof value['command'] !== 'string' || value['command'] === '') {
    throw credentialsError(`"exec" of the user "${user}" of the kubeconfig has no command: add it`)
  }
  const { command, args, env, apiVersion, provideClusterInfo, installHint } = value
  const variables = Array.isArray(env) ? env.filter(isRecord) : []
  return {
    user,
    command,
    args: Array.isArray(args) ? args.map(String) : [],
    env: Object.fromEntries(variables.map(({ name, value: text }) => [String(name), String(text)])),
    apiVersion: typeof apiVersion === 'string' ? apiVersion : 'client.authentication.k8s.io/v1',
    providesClusterInfo: provideClusterInfo === true,
    installHint: typeof installHint === 'string' ? installHint : undefined,
  }
}

/**
 * A program that gives tokens or client certificates, such as `aws eks get-token`. Its output is kept until it expires, or until the API
 * server refuses it. The plugin of the official client is not used: it runs the program for each call if there is no time of expiry, waits
 * without an end, does not tell the program the API version, and puts the beginning of a broken output into its error.
 */
export class ExecPlugin implements Authenticator {
  private kept: { grant: Grant; until: number } | undefined
  private running: Promise<Grant> | undefined

  constructor(
    private readonly settings: PluginSettings,
    private readonly cluster: Cluster,
    private readonly environment: NodeJS.ProcessEnv,
  ) {}

  /** Calls at the same time share one run of the program. */
  async authenticate(): Promise<Grant> {
    if (this.kept && Date.now() < this.kept.until) return this.kept.grant
    this.running ??= this.obtain().finally(() => {
      this.running = undefined
    })
    return await this.running
  }

  renew(): boolean {
    const hadOne = this.kept !== undefined
    this.kept = undefined
    return hadOne
  }

  private async obtain(): Promise<Grant> {
    const output = await this.runProgram()
    const credential = this.readOutput(output)
    const { token, clientCertificateData: cert, clientKeyData: key, expirationTimestamp } = credential
    const grant: Grant = {
      ...(typeof token === 'string' && token !== '' && { authorization: `Bearer ${token}` }),
      ...(typeof cert === 'string' && cert !== '' && { cert: Buffer.from(cert) }),
      ...(typeof key === 'string' && key !== '' && { key: Buffer.from(key) }),
    }
    if (!grant.authorization && !grant.cert) throw this.failure('gave neither a token nor a certificate')
    const expiry = typeof expirationTimestamp === 'string' ? Date.parse(expirationTimestamp) : NaN
    this.kept = { grant, until: Number.isNaN(expiry) ? Infinity : expiry - EARLY }
    return grant
  }

  private async runProgram(): Promise<string> {
    const { command, args, env } = this.settings
    const environment = { ...this.environment, ...env, KUBERNETES_EXEC_INFO: JSON.stringify(this.execInfo()) }
    try {
      const { stdout } = await run(command, args, {
        env: environment,
        timeout: TIMEOUT,
        killSignal: 'SIGKILL',
        maxBuffer: MAX_OUTPUT,
      })
      return stdout
    } catch (error) {
      throw this.failure(`failed: ${this.explain(error)}`)
    }
  }

  /** Without the output of the program, which may hold a token. */
  private explain(error: unknown): string {
    if (!(error instanceof Error)) return String(error)
    if ('code' in error && error.code === 'ENOENT') {
      const { installHint } = this.settings
      return `it is not installed, or not in PATH${installHint ? ` (${installHint.trim()})` : ''}`
    }
    if ('killed' in error && error.killed === true) return `it did not end within ${TIMEOUT / SECOND} seconds`
    const complaint = 'stderr' in error && typeof error.stderr === 'string' ? error.stderr.trim() : ''
    const code = 'code' in error ? `exit code ${String(error.code)}` : messageOf(error)
    return complaint === '' ? code : `${code}: ${complaint.slice(-1000)}`
  }

  private readOutput(output: string): Record<string, unknown> {
    let credential: unknown
    try {
      credential = JSON.parse(output)
    } catch {
      throw this.failure('did not print JSON')
    }
    if (!isRecord(credential) || !isRecord(credential['status']))
      throw this.failure('printed no ExecCredential')
    return credential['status']
  }

  private execInfo(): object {
    const { apiVersion, providesClusterInfo } = this.settings
    const { server, caData, tlsServerName, skipTLSVerify } = this.cluster
    const cluster = {
      server,
      ...(caData && { 'certificate-authority-data': caData }),
      ...(tlsServerName && { 'tls-server-name': tlsServerName }),
      ...(skipTLSVerify && { 'insecure-skip-tls-verify': true }),
    }
    const spec = { interactive: false, ...(providesClusterInfo && { cluster }) }
    return { kind: 'ExecCredential', apiVersion, spec }
  }

  private failure(what: string) {
    const { command, user } = this.settings
    return credentialsError(`The exec plugin "${command}" of the user "${user}" of the kubeconfig ${what}`)
  }
}
