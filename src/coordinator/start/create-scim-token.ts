import { insertAuditEvent } from '../accounts/audit-events/store.js'
import { connectDatabase } from '../database/connect.js'
import { refuseMovedDatabase } from '../database/move/move-state.js'
import { requireReleasedSchema } from '../database/recorded-schema.js'
import { tokenEventOf } from '../scim/audit.js'
import { createScimToken } from '../scim/tokens/store.js'
import { SettingsError } from './config/setting-sources.js'
import type { CoordinatorSettings } from './config/settings.js'

/**
 * Creates the SCIM token of an identity provider, in place of the one before, as an operator of the machine. Throws `SettingsError`
 * for a provider that the settings do not have.
 */
export async function createTokenOfProvider(
  { database: settings, signIn }: Pick<CoordinatorSettings, 'database' | 'signIn'>,
  provider: string,
): Promise<string> {
  const names = signIn.providers.map(({ name }) => name)
  if (!names.includes(provider)) {
    const known = names.length === 0 ? 'there are none' : `there are ${names.join(', ')}`
    throw new SettingsError([`sign_in.providers.${provider}: is not in the settings; ${known}`])
  }
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
