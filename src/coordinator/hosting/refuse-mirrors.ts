import type { User } from '../access/caller.js'
import type { Database } from '../database/connect.js'
import { effectiveSettings } from '../database/stores/application-setting-store.js'
import { apiError } from '../http/errors.js'

/** Throws 403 if only administrators may set up mirrors, and the user is none. */
export async function refuseMirrors(database: Database, user: User): Promise<void> {
  if (user.is_admin) return
  const { mirror_available } = await effectiveSettings(database, 'mirror_available')
  if (!mirror_available) throw apiError('mirrors_disabled')
}
