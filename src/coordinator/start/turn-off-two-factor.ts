import { insertAuditEvent } from '../accounts/audit-events/store.js'
import { turnOff } from '../accounts/two-factor/factors.js'
import { connectDatabase, type Database } from '../database/connect.js'
import { refuseMovedDatabase } from '../database/move/move-state.js'
import { requireReleasedSchema } from '../database/recorded-schema.js'
import { sameText } from '../database/text.js'
import { notFound } from '../http/errors.js'
import type { CoordinatorSettings } from './config/settings.js'

/**
 * Removes the second factors of a user, as an operator of the machine: an administrator without them can ask nobody else.
 * Throws 404 for an unknown user, and 400 for one without a factor.
 */
export async function turnOffTwoFactor(
  { database: settings }: Pick<CoordinatorSettings, 'database'>,
  username: string,
): Promise<void> {
  const database = connectDatabase(settings)
  try {
    await refuseMovedDatabase(database, settings.dialect)
    await requireReleasedSchema(database, settings)
    await turnOffOf(database, username)
  } finally {
    await database.destroy()
  }
}

async function turnOffOf(database: Database, username: string): Promise<void> {
  const user = await database
    .selectFrom('user')
    .select(['id', 'name', 'username'])
    .where(({ ref }) => sameText(ref('username'), username))
    .executeTakeFirst()
  if (!user) throw notFound('User')
  await turnOff(database, user.id)
  await insertAuditEvent(database, {
    author_id: user.id,
    entity_type: 'User',
    entity_id: user.id,
    details: {
      custom_message: 'Turned two-factor authentication off on the server',
      author_name: user.name,
      target_id: user.id,
      target_type: 'User',
      target_details: user.username,
      entity_path: user.username,
    },
  })
}
