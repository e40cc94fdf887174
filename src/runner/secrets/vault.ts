import { EnvHttpProxyAgent, request } from 'undici'

import type { EgressRules } from '../../egress/egress-rules.js'
import { LocalAddressError } from '../../egress/errors.js'
import { isRecord } from '../../lib/is-record.js'
import { connectionProblem } from '../../lib/network-errors.js'
import { readAtMost, TooManyBytesError } from '../../lib/read-at-most.js'
import type { VaultSecret } from '../../protocol/job-secrets.js'
import { SecretError } from './errors.js'

/** Timeout of one request in milliseconds. */
const REQUEST_TIMEOUT = 30_000
/** Maximum size of one response. Vault itself stores at most 1 MiB under one path by default. */
const MAX_RESPONSE_BYTES = 1024 * 1024

/**
 * Reads secrets of HashiCorp Vault over its HTTP API, version 1. Logs in once per set of credentials. The address
 * comes from the job, so the egress rules decide which hosts may be contacted. Redirects are not followed. If the
 * environment names a proxy, the proxy resolves names.
 */
export class Vault {
  private readonly agent: EnvHttpProxyAgent
  private readonly logins = new Map<string, Promise<string>>()

  constructor(
    private readonly signal: AbortSignal,
    private readonly egress: EgressRules,
  ) {
    this.agent = new EnvHttpProxyAgent({ connect: { lookup: egress.lookup } })
  }

  /** Throws `SecretError`. */
  async read({ server, engine, path, field }: VaultSecret): Promise<string> {
    const token = await this.login(server)
    const apiPath = [engine.path, ...(engine.name === 'kv-v2' ? ['data'] : []), path]
      .map(trimSlashes)
      .join('/')
    const reply = await this.call(server, { method: 'GET', path: apiPath, token })
    const content = engine.name === 'kv-v2' ? inner(reply, 'data') : reply
    const value = inner(content, 'data')[field]
    if (value === undefined) throw new SecretError(`Vault has no field "${field}" at ${apiPath}`, false)
    return typeof value === 'string' ? value : JSON.stringify(value)
  }

  async close(): Promise<void> {
    await this.agent.close()
  }

  private login(server: VaultSecret['server']): Promise<string> {
    const key = JSON.stringify(server)
    const known = this.logins.get(key)
    if (known) return known
    const login = this.newLogin(server)
    this.logins.set(key, login)
    // The next attempt logs in again.
    login.catch(() => this.logins.delete(key))
    return login
  }

  private async newLogin(server: VaultSecret['server']): Promise<string> {
    const { name, path, data } = server.auth
    if (name !== 'jwt') throw new SecretError(`Only the Vault login "jwt" is supported, not "${name}"`, false)
    const reply = await this.call(server, {
      method: 'POST',
      path: `auth/${trimSlashes(path)}/login`,
      body: JSON.stringify(data),
    })
    const token = inner(reply, 'auth').client_token
    if (typeof token !== 'string')
      throw new SecretError(`Vault at ${server.url} returned no token at login`, false)
    return token
  }

  private async call(
    { url, namespace }: VaultSecret['server'],
    { method, path, token, body }: { method: 'GET' | 'POST'; path: string; token?: string; body?: string },
  ): Promise<Record<string, unknown>> {
    const signal = AbortSignal.any([this.signal, AbortSignal.timeout(REQUEST_TIMEOUT)])
    const headers = {
      'content-type': 'application/json',
      'x-vault-request': 'true',
      ...(token !== undefined && { 'x-vault-token': token }),
      ...(namespace && { 'x-vault-namespace': namespace }),
    }
    const address = `${url.replace(/\/+$/, '')}/v1/${path.split('/').map(encodeURIComponent).join('/')}`
    const { statusCode, text } = await this.send(url, async () => {
      this.egress.checkHost(new URL(address).hostname)
      const reply = await request(address, {
        method,
        headers,
        body: body ?? null,
        dispatcher: this.agent,
        signal,
      })
      return {
        statusCode: reply.statusCode,
        text: (await readAtMost(reply.body, MAX_RESPONSE_BYTES)).toString(),
      }
    })
    if (statusCode === 200) {
      const reply = recordIn(text)
      if (reply) return reply
      throw new SecretError(`The server at ${url} is not Vault: its response is not a JSON object`, false)
    }
    throw new SecretError(
      `Vault at ${url} returns ${statusCode} for ${path}: ${problemsIn(text)}`,
      statusCode === 429 || statusCode >= 500,
    )
  }

  private async send<T>(url: string, step: () => Promise<T>): Promise<T> {
    try {
      return await step()
    } catch (error) {
      if (this.signal.aborted) throw this.signal.reason
      const refusal = refusalIn(error)
      if (refusal !== undefined) throw new SecretError(`Vault at ${url} is not used: ${refusal}`, false)
      throw new SecretError(`Vault at ${url} cannot be reached: ${connectionProblem(error)}`, true, {
        cause: error,
      })
    }
  }
}

/** Why another attempt would fail in the same way. Undefined if it might succeed. */
function refusalIn(error: unknown): string | undefined {
  if (error instanceof TooManyBytesError) return error.message
  if (!(error instanceof LocalAddressError)) return undefined
  return `${error.message} (allowed_local_hosts in the settings of the runner)`
}

/** Vault returns its errors in a list. */
function problemsIn(text: string): string {
  const { errors } = recordIn(text) ?? {}
  return Array.isArray(errors) && errors.length > 0 ? errors.join('; ') : 'no reason given'
}

/** Returns undefined for a text that is not a JSON object. */
function recordIn(text: string): Record<string, unknown> | undefined {
  try {
    const reply: unknown = JSON.parse(text)
    return isRecord(reply) ? reply : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function inner(reply: Record<string, unknown>, key: string): Record<string, unknown> {
  const value = reply[key]
  return isRecord(value) ? value : {}
}

function trimSlashes(path: string): string {
  return path.replace(/^\/+|\/+$/g, '')
}
