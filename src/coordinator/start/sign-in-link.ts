import { SwitchyardError } from '../../lib/errors.js'
import type { User } from '../access/caller.js'
import { insertAuditEvent } from '../accounts/audit-events/store.js'
import { connectDatabase, type Database } from '../database/connect.js'
import { requireReleasedSchema } from '../database/recorded-schema.js'
import { inTransaction } from '../database/transaction.js'
import { createSignInLink } from '../sessions/sign-in-links.js'
import type { CoordinatorSettings } from './config/settings.js'

/** There is no such administrator. */
class NoAdministratorError extends SwitchyardError {
  readonly name = 'NoAdministratorError'
  readonly code = 'NO_ADMINISTRATOR'
}

export interface LinkOfAdministrator {
  url: string
  user: User
  /** In milliseconds since 1970. */
  expiresAt: number
}

type Addresses = Pick<CoordinatorSettings, 'externalUrl' | 'listen'>

/** Like `createLinkOfAdministrator`, in the database of the settings. The coordinator may run. */
export async function createLinkInInstallation(
  settings: Addresses & Pick<CoordinatorSettings, 'database'>,
  username: string | undefined,
): Promise<LinkOfAdministrator> {
  const database = connectDatabase(settings.database)
  try {
    await requireReleasedSchema(database, settings.database)
    return await createLinkOfAdministrator(database, settings, username)
  } finally {
    await database.destroy()
  }
}

/**
 * Creates a link that signs an administrator in once, within 24 hours: the first one that is active, or the one with the
 * given username. Throws `NoAdministratorError`.
 */
export async function createLinkOfAdministrator(
  database: Database,
  addresses: Addresses,
  username: string | undefined,
): Promise<LinkOfAdministrator> {
  const externalUrl = externalUrlOf(addresses)
  const user = await findAdministrator(database, username)
  if (!user) {
    throw new NoAdministratorError(
      username === undefined
        ? 'There is no active administrator'
        : `There is no active administrator with the username ${username}: leave it out to take the first one`,
    )
  }
  const link = await inTransaction(database, async (tx) => {
    await insertAuditEvent(tx, eventOf(user))
    return createSignInLink(
      { database: tx, externalUrl },
      { user, isByAdministrator: true, personalTokenId: null },
    )
  })
  return { ...link, user }
}

function findAdministrator(database: Database, username: string | undefined): Promise<User | undefined> {
  return database
    .selectFrom('user')
    .selectAll()
    .where('is_admin', '=', true)
    .where('state', '=', 'active')
    .where('kind', '=', 'human')
    .$if(username !== undefined, (query) => query.where('username', '=', username ?? ''))
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

function eventOf({ id, name, username }: User) {
  return {
    author_id: id,
    entity_type: 'User' as const,
    entity_id: id,
    details: {
      add: 'sign_in_link',
      custom_message: 'Created a sign-in link on the machine of the server',
      author_name: name,
      target_id: id,
      target_type: 'User' as const,
      target_details: username,
      entity_path: username,
    },
  }
}

/** The address to which a browser on this machine connects, unless another one is set. */
function externalUrlOf({ externalUrl, listen }: Addresses): string {
  if (externalUrl !== undefined) return externalUrl
  const isAny = listen.host === '0.0.0.0' || listen.host === '::'
  const host = isAny ? '127.0.0.1' : listen.host
  return `http://${host.includes(':') ? `[${host}]` : host}:${listen.port}`
}
