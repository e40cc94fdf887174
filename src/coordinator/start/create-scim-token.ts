import { insertAuditEvent } from '../accounts/audit-events/store.js'
import { connectDatabase } from '../database/connect.js'
import { refuseMovedDatabase } from '../database/move/move-state.js'
import { requireReleasedSchema } from '../database/recorded-schema.js'
import { apiError } from '../http/errors.js'
import { tokenEventOf } from '../scim/audit.js'
import { createScimToken } from '../scim/tokens/store.js'
import type { CoordinatorSettings } from './config/settings.js'

/**
 * Creates the SCIM token of an identity provider, in place of the one before, as an operator of the machine. Throws 404 for
 * a provider that the settings do not have.
 */
export async function createTokenOfProvider(
  { database: settings, signIn }: Pick<CoordinatorSettings, 'database' | 'signIn'>,
  provider: string,
): Promise<string> {
  if (!signIn.providers.some(({ name }) => name === provider))
    throw apiError('scim_provider_unknown', { provider })
  const database = connectDatabase(settings)
  try {
    await refuseMovedDatabase(database, settings.dialect)
    await requireReleasedSchema(database, settings)
    const { token } = await createScimToken(database, provider, null)
    await insertAuditEvent(database, tokenEventOf(provider))
    return token
  } finally {
    await database.destroy()
  }
}
