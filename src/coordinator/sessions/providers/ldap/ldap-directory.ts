import type { LdapSettings } from '../provider-settings.js'
import type { Directory, DirectoryReader, DirectoryUser } from '../provider.js'
import { closedAccount } from './closed-account.js'
import type { LdapConnection } from './connection.js'
import { type DirectoryEntry, idValue } from './entry.js'
import { anyUserFilter, idFilter } from './filters.js'
import { findGroups } from './find-groups.js'
import { userAttributes } from './read-user.js'
import type { LdapServers } from './servers.js'

/** Number of users in one search. */
const BATCH = 50

/** Reads users with the account of the settings. */
export class LdapDirectory implements Directory {
  readonly maxBlockedPercent: number

  constructor(
    private readonly settings: LdapSettings,
    private readonly servers: LdapServers,
  ) {
    this.maxBlockedPercent = settings.maxBlockedPercent
  }

  isId(subject: string): boolean {
    return idValue(this.settings.attributes.id, subject) !== undefined
  }

  read<T>(work: (reader: DirectoryReader) => Promise<T>): Promise<T> {
    return this.servers.use((connection) => work(new LdapReader(this.settings, connection)))
  }
}

class LdapReader implements DirectoryReader {
  constructor(
    private readonly settings: LdapSettings,
    private readonly connection: LdapConnection,
  ) {}

  async find(subjects: readonly string[]): Promise<Map<string, DirectoryUser>> {
    const found = new Map<string, DirectoryUser>()
    for (let start = 0; start < subjects.length; start += BATCH) {
      const ids = subjects.slice(start, start + BATCH)
      // Administrators may have written an ID in other letters than the directory does.
      const wanted = new Map(ids.map((id) => [id.toLowerCase(), id]))
      for (const entry of await this.entriesOf(ids)) {
        const subject = wanted.get(entry.id(this.settings.attributes.id)?.toLowerCase() ?? '')
        if (subject !== undefined) found.set(subject, this.userOf(entry))
      }
    }
    return found
  }

  hasUsers(): Promise<boolean> {
    const { ldap } = this.connection
    return this.connection.hasAny({ base: this.settings.base, filter: anyUserFilter(ldap, this.settings) })
  }

  private entriesOf(ids: readonly string[]): Promise<DirectoryEntry[]> {
    return this.connection.search({
      base: this.settings.base,
      filter: idFilter(this.connection.ldap, this.settings, ids),
      attributes: userAttributes(this.settings),
      limit: BATCH,
    })
  }

  private userOf(entry: DirectoryEntry): DirectoryUser {
    const closed = closedAccount(entry, Date.now())
    const user = { dn: entry.dn, username: entry.text(this.settings.attributes.username) }
    return {
      // Wrong passwords lock an account for a while: by them, anybody could end the sessions of others.
      closed: closed === 'locked' ? undefined : closed,
      groups: () => findGroups(this.connection, this.settings, user),
    }
  }
}
