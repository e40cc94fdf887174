import type { User } from '../access/caller.js'
import type { Database } from '../database/connect.js'
import { effectiveSettings } from '../database/stores/application-setting-store.js'
import type { Visibility } from '../database/tables/projects.js'
import { invalidRecord } from '../http/errors.js'

/** Throws 400 for a visibility that only administrators may choose. */
export async function refuseRestricted(
  database: Database,
  visibility: Visibility,
  user: Pick<User, 'is_admin'>,
): Promise<void> {
  if (user.is_admin) return
  const settings = await effectiveSettings(database, 'restricted_visibility_levels')
  if (!settings.restricted_visibility_levels.includes(visibility)) return
  throw invalidRecord({ visibility_level: [`${visibility} has been restricted by your administrator`] })
}
