import { randomBytes } from 'node:crypto'

import { describeRules } from '../describe-rules.js'
import type { LdapSettings, ProviderRules } from '../provider-settings.js'
import {
  type Directory,
  type PasswordProvider,
  type ProvenIdentity,
  ProviderError,
  type TryPassword,
} from '../provider.js'
import { type Closed, closedAccount } from './closed-account.js'
import { invalid, type LdapConnection } from './connection.js'
import type { DirectoryEntry } from './entry.js'
import { usernameFilter } from './filters.js'
import { findGroups } from './find-groups.js'
import { LdapDirectory } from './ldap-directory.js'
import { readUser, userAttributes } from './read-user.js'
import { LdapServers } from './servers.js'

interface Found {
  entry: DirectoryEntry
  /** Permanent ID. */
  subject: string
}

/**
 * Checks passwords by a bind to a directory (RFC 4513, section 5.1.3): the account of the settings finds the entry of the
 * username, and the password is tried with the DN of that entry. A typed text is part of no DN.
 */
export class LdapProvider implements PasswordProvider {
  readonly name: string
  readonly label: string
  readonly rules: ProviderRules
  readonly directory: Directory | undefined
  private readonly servers: LdapServers

  constructor(private readonly settings: LdapSettings) {
    this.name = settings.name
    this.label = settings.label
    this.rules = settings.rules
    this.servers = new LdapServers(settings)
    this.directory = settings.account && new LdapDirectory(settings, this.servers)
  }

  describe(): [name: string, value: string][] {
    const { urls, startTls, account, base, userFilter, attributes, groups, rules } = this.settings
    return [
      ['Servers', `${urls.join(', ')}${startTls ? ' with StartTLS' : ''}`],
      ['Account', account?.dn ?? 'anonymous'],
      ['Users', `${userFilter} below ${base}`],
      ['Attributes', Object.values(attributes).join(', ')],
      ['Groups of users', rules.groups.size === 0 ? 'not read' : `${groups.filter} below ${groups.base}`],
      ...describeRules(rules),
    ]
  }

  async verify(
    { username, password }: { username: string; password: string },
    tryPassword: TryPassword,
  ): Promise<ProvenIdentity | undefined> {
    if (username === '' || password === '') return undefined
    return this.servers.use(async (connection) => {
      const found = await this.find(connection, username)
      if (!(await this.isProven(connection, found, { password, tryPassword })) || !found) return undefined
      return this.identify(connection, found)
    })
  }

  /** The entry with this username; undefined if there is none. Refuses to choose among several. */
  private async find(connection: LdapConnection, username: string): Promise<Found | undefined> {
    const { base, attributes } = this.settings
    const filter = usernameFilter(connection.ldap, this.settings, username)
    const search = { base, filter, attributes: userAttributes(this.settings), limit: 1 }
    const [entry] = await connection.search(search)
    if (!entry) return undefined
    const subject = entry.id(attributes.id)
    if (subject === undefined) throw invalid(this.settings, new Error(`${entry.dn} has no ${attributes.id}`))
    return { entry, subject }
  }

  /** Asks the server for every username, so that the time shows nothing of who exists. */
  private isProven(
    connection: LdapConnection,
    found: Found | undefined,
    { password, tryPassword }: { password: string; tryPassword: TryPassword },
  ): Promise<boolean> {
    const refuse = async () => {
      await connection.isPassword(this.dnOfNobody(), password)
      return false as const
    }
    if (!found) return refuse()
    return tryPassword(found.subject, () => connection.isPassword(found.entry.dn, password), refuse)
  }

  private dnOfNobody(): string {
    const name = `cn=${randomBytes(16).toString('hex')}`
    return this.settings.base === '' ? name : `${name},${this.settings.base}`
  }

  private async identify(connection: LdapConnection, { entry, subject }: Found): Promise<ProvenIdentity> {
    const now = Date.now()
    const closed = closedAccount(entry, now)
    if (closed) throw new ProviderError('refused', `${CLOSED[closed]} at ${this.label}.`, undefined)
    const groups = await this.groupsOf(connection, entry)
    return readUser(entry, this.settings, { subject, groups, now })
  }

  private async groupsOf(connection: LdapConnection, entry: DirectoryEntry): Promise<string[]> {
    if (this.rules.groups.size === 0) return []
    // The password was tried on this connection, which works as the user now.
    await connection.useAccount()
    const { attributes } = this.settings
    return findGroups(connection, this.settings, { dn: entry.dn, username: entry.text(attributes.username) })
  }
}

const CLOSED: Readonly<Record<Closed, string>> = {
  disabled: 'Your account is disabled',
  expired: 'Your account has expired',
  locked: 'Your account is locked',
}
