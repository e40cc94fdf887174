import type { LdapSettings } from '../provider-settings.js'
import { LdapConnection } from './connection.js'

/** The servers of a directory, which have the same content. */
export class LdapServers {
  /** The server that has responded last. */
  private current = 0

  constructor(private readonly settings: LdapSettings) {}

  /** Calls `work` with a connection as the account of the settings. Throws `ProviderError`. */
  async use<T>(work: (connection: LdapConnection) => Promise<T>): Promise<T> {
    const { connection, server } = await LdapConnection.open(this.settings, this.current)
    this.current = server
    try {
      return await work(connection)
    } finally {
      await connection.close()
    }
  }
}
