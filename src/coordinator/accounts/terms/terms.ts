import type { Database } from '../../database/connect.js'
import { readStoredSettings } from '../../database/stores/application-setting-store.js'
import { findAcceptedVersion, storeAcceptance } from './store.js'

export interface Terms {
  /** In Markdown. */
  text: string
  /** Changes with the text: users accept one version. */
  version: number
}

/** The terms of service that users must accept; undefined if there are none. */
export async function enforcedTerms(database: Database): Promise<Terms | undefined> {
  const settings = await readStoredSettings(database, ['enforce_terms', 'terms'])
  const [enforced, terms] = [settings.get('enforce_terms'), settings.get('terms')]
  if (enforced?.isSecret !== false || enforced.value !== true) return undefined
  if (terms?.isSecret !== false || typeof terms.value !== 'string' || terms.value === '') return undefined
  return { text: terms.value, version: terms.updated_at }
}

/** Whether the user has to accept the terms of service before using pages. */
export async function mustAcceptTerms(database: Database, userId: number): Promise<boolean> {
  const terms = await enforcedTerms(database)
  return terms !== undefined && (await findAcceptedVersion(database, userId)) !== terms.version
}

export async function acceptTerms(database: Database, userId: number, version: number): Promise<void> {
  await storeAcceptance(database, { user_id: userId, terms_version: version, accepted_at: Date.now() })
}
