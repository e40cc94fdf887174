import { storeSettings } from '../../../src/coordinator/database/stores/application-setting-store.js'
import type { EffectiveSettings } from '../../../src/coordinator/database/tables/application-settings.js'
import { inTransaction } from '../../../src/coordinator/database/transaction.js'
import type { Services } from '../../../src/coordinator/start/services/services.js'

/** Changes application settings as the API does; `instanceSettings` are those of a coordinator that has some. */
export async function setSettings(
  { database, instanceSettings }: Pick<Services, 'database'> & Partial<Pick<Services, 'instanceSettings'>>,
  settings: Partial<EffectiveSettings>,
): Promise<void> {
  const rows = Object.entries(settings).map(([name, value]) => ({
    name,
    value: JSON.stringify(value),
    value_encrypted: null,
    updated_at: Date.now(),
  }))
  await inTransaction(database, (tx) => storeSettings(tx, rows))
  await instanceSettings?.load()
}
