import { isIP } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { ConnectionOptions } from 'node:tls'

import type * as Ldap from 'ldapts'

import { SECOND } from '../../../../lib/time-units.js'
import type { LdapSettings } from '../provider-settings.js'
import { ProviderError } from '../provider.js'
import { BINARY_ATTRIBUTES, DirectoryEntry } from './entry.js'
import { Sockets } from './sockets.js'

/** Result codes of servers that cannot serve at the moment: busy, unavailable (RFC 4511, section 4.1.9). */
const UNAVAILABLE = [51, 52]

export type LdapModule = typeof Ldap

/** Loaded at the first sign-in: most coordinators have no directory. */
function loadLdap(): Promise<LdapModule> {
  return import('ldapts')
}

export interface Search {
  base: string
  filter: Ldap.Filter
  attributes: readonly string[]
  /** Maximum number of entries. */
  limit: number
}

/** A connection to one server of a directory. It follows no referrals to other servers. All methods throw `ProviderError`. */
export class LdapConnection {
  private readonly sockets = new Sockets()
  private readonly client: Ldap.Client

  private constructor(
    readonly ldap: LdapModule,
    private readonly settings: LdapSettings,
    private readonly url: URL,
  ) {
    const { timeout } = settings
    this.client = new ldap.Client({
      url: url.href,
      timeout,
      connectTimeout: timeout,
      ...(url.protocol === 'ldaps:' && { tlsOptions: this.tlsOptions() }),
      createConnection: this.sockets.createConnection,
      createSecureConnection: this.sockets.createSecureConnection,
    })
  }

  /**
   * Connects to the first server that responds, beginning with number `first`, and works as the account of the settings.
   * Returns the number of the server too.
   */
  static async open(
    settings: LdapSettings,
    first: number,
  ): Promise<{ connection: LdapConnection; server: number }> {
    const ldap = await loadLdap()
    const { urls } = settings
    const problems: unknown[] = []
    for (const offset of urls.keys()) {
      const server = (first + offset) % urls.length
      const connection = new LdapConnection(ldap, settings, new URL(urls[server] ?? ''))
      try {
        await connection.begin()
        return { connection, server }
      } catch (error) {
        connection.sockets.destroy()
        if (isRefusal(error)) throw invalid(settings, error)
        problems.push(error)
      }
    }
    throw unreachable(settings, problems.length === 1 ? problems[0] : new AggregateError(problems))
  }

  /** Works as the account of the settings again. */
  async useAccount(): Promise<void> {
    const { dn, password } = this.settings.account ?? { dn: '', password: '' }
    await this.request(() => this.client.bind(dn, password))
  }

  /**
   * Whether the password is that of the entry; the connection then works as its user. An empty password would be an
   * anonymous bind, which succeeds for anybody (RFC 4513, section 5.1.2).
   */
  async isPassword(dn: string, password: string): Promise<boolean> {
    if (dn === '' || password === '') return false
    try {
      this.sockets.requireOpen()
      await this.client.bind(dn, password)
      return true
    } catch (error) {
      if (isRefusal(error)) return false
      throw this.problemOf(error)
    }
  }

  /** Fails if more entries match than the limit, or than the server returns. */
  async search({ base, filter, attributes, limit }: Search): Promise<DirectoryEntry[]> {
    const entries = await this.request(async () => {
      // Without `sizeLimit`: with it, the client takes the entries up to a limit of the server for all.
      const { searchEntries } = await this.client.search(base, {
        filter,
        attributes: [...attributes],
        explicitBufferAttributes: BINARY_ATTRIBUTES,
        timeLimit: this.timeLimit,
      })
      return searchEntries.map((entry) => new DirectoryEntry(entry))
    })
    if (entries.length <= limit) return entries
    throw invalid(this.settings, new Error(`More than ${limit} entries match ${filter.toString()}`))
  }

  /** Whether any entry matches. */
  async hasAny({ base, filter }: Pick<Search, 'base' | 'filter'>): Promise<boolean> {
    const options = { filter, attributes: ['1.1'], sizeLimit: 1, timeLimit: this.timeLimit }
    const { searchEntries } = await this.request(() => this.client.search(base, options))
    return searchEntries.length > 0
  }

  async close(): Promise<void> {
    try {
      await this.client.unbind()
    } finally {
      this.sockets.destroy()
    }
  }

  private async begin(): Promise<void> {
    const { startTls, account, timeout } = this.settings
    if (startTls && this.url.protocol === 'ldap:') {
      await within(timeout, this.client.startTLS({ ...this.tlsOptions(), host: this.host }))
    }
    if (account) await this.client.bind(account.dn, account.password)
  }

  /** The name or address in the certificate. */
  private get host(): string {
    return this.url.hostname.replaceAll(/[[\]]/g, '')
  }

  private tlsOptions(): ConnectionOptions {
    const { authorities } = this.settings
    return {
      minVersion: 'TLSv1.2',
      ...(isIP(this.host) === 0 && { servername: this.host }),
      ...(authorities !== undefined && { ca: authorities }),
    }
  }

  private async request<T>(work: () => Promise<T>): Promise<T> {
    try {
      this.sockets.requireOpen()
      return await work()
    } catch (error) {
      throw this.problemOf(error)
    }
  }

  /** In seconds. */
  private get timeLimit(): number {
    return Math.ceil(this.settings.timeout / SECOND)
  }

  private problemOf(error: unknown): ProviderError {
    return isRefusal(error) ? invalid(this.settings, error) : unreachable(this.settings, error)
  }
}

/** Whether the error is a response of a server that can serve. */
function isRefusal(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'number' && !UNAVAILABLE.includes(code)
}

/** The client does not limit the time of the handshake after StartTLS. */
async function within(milliseconds: number, work: Promise<void>): Promise<void> {
  const done = new AbortController()
  const late = setTimeout(milliseconds, undefined, { signal: done.signal }).then(() => {
    throw new Error('The TLS handshake takes too long')
  })
  try {
    await Promise.race([work, late])
  } finally {
    done.abort()
  }
}

function unreachable({ label }: LdapSettings, cause: unknown): ProviderError {
  const text = `${label} is not reachable at the moment. Try again later, or sign in in another way.`
  return new ProviderError('unreachable', text, cause)
}

/** For the user; the cause is in the log. */
export function invalid({ label }: LdapSettings, cause: unknown): ProviderError {
  const text = `The response of ${label} is not valid. Try again; if it stays so, ask an administrator.`
  return new ProviderError('invalid', text, cause)
}
