import type { Database } from '../../database/connect.js'
import { effectiveSettings } from '../../database/stores/application-setting-store.js'
import type { IdentityProvider } from './provider.js'

/** The providers with which users sign in: not those that the settings of the instance turn off. */
export async function offeredProviders<Provider extends Pick<IdentityProvider, 'name'>>(
  database: Database,
  providers: readonly Provider[],
): Promise<Provider[]> {
  const { disabled_oauth_sign_in_sources: disabled } = await effectiveSettings(
    database,
    'disabled_oauth_sign_in_sources',
  )
  return providers.filter(({ name }) => !disabled.includes(name))
}

export async function isOffered(
  database: Database,
  provider: Pick<IdentityProvider, 'name'>,
): Promise<boolean> {
  return (await offeredProviders(database, [provider])).length > 0
}
