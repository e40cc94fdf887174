import { may } from '../access/access.js'
import type { Database } from '../database/connect.js'
import { effectiveSettings } from '../database/stores/application-setting-store.js'
import { RemoteRepositoryError } from '../egress/errors.js'
import { type Giver, giverNow } from '../intentions/giver.js'

const REMEDY = 'A maintainer must save the mirror again'

/**
 * Finds the user who has set up a mirror. Throws `RemoteRepositoryError` if they may not do that at this moment. Projects
 * that are read-only pass.
 */
export async function checkMirrorUser(
  database: Database,
  { project_id, user_id }: { project_id: number; user_id: number | null },
): Promise<Giver> {
  const intention = { userId: user_id, projectId: project_id, isReadOnlyAllowed: true }
  const giver = await giverNow(database, intention)
  if (!giver) throw refused('is not active any more')
  if (!may('admin_project', giver)) throw refused('is no maintainer of the project any more')
  const { mirror_available } = await effectiveSettings(database, 'mirror_available')
  if (!mirror_available && !giver.user.is_admin) {
    throw new RemoteRepositoryError('Mirrors of users who are not administrators are disabled')
  }
  return giver
}

function refused(reason: string): RemoteRepositoryError {
  return new RemoteRepositoryError(`The user who has set up the mirror ${reason}. ${REMEDY}`)
}
