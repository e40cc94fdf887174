import type { Group, Project, User } from '../../../access/caller.js'
import type { Database } from '../../../database/connect.js'
import { apiError, forbidden, invalidRecord, notFound } from '../../../http/errors.js'
import { visibleGroup } from '../groups.js'
import { deleteShare, insertShare, isInGroup, isSharingLocked, type Shared, type ShareRow } from './store.js'

const LEVELS = [10, 20, 30, 40, 50]

export interface NewShare {
  group_id: number
  group_access: number
  expires_at?: string | null
}

interface Sharer {
  user: User | undefined
  accessLevel: number
}

/** Shares a project with a group; the level limits the access of its members (API, C2). */
export async function shareProject(
  database: Database,
  project: Project,
  params: NewShare,
  sharer: Sharer,
): Promise<ShareRow> {
  if (await isSharingLocked(database, project.namespace_id)) {
    throw apiError('group_sharing_disabled')
  }
  if (await isInGroup(database, project.namespace_id, params.group_id)) {
    throw invalidRecord({
      base: ['Project cannot be shared with the group it is in or one of its ancestors.'],
    })
  }
  return share(database, { project_id: project.id }, params, sharer)
}

/** Shares a group and everything inside with another group (API, D). */
export async function shareGroup(
  database: Database,
  group: Group,
  params: NewShare,
  sharer: Sharer,
): Promise<ShareRow> {
  if (group.id === params.group_id) throw apiError('group_shared_with_itself')
  return share(database, { group_id: group.id }, params, sharer)
}

/** The user must see the group, and may not grant more than their own level. */
async function share(
  database: Database,
  shared: Shared,
  { group_id, group_access, expires_at }: NewShare,
  { user, accessLevel }: Sharer,
): Promise<ShareRow> {
  if (!LEVELS.includes(group_access)) throw invalidRecord({ group_access: ['is not included in the list'] })
  const { id } = await visibleGroup(database, String(group_id), user)
  if (group_access > accessLevel) throw forbidden()
  const expiry = expires_at ? Date.parse(expires_at) : null
  if (expiry !== null && expiry <= Date.now()) {
    throw invalidRecord({ expires_at: ['cannot be a date in the past'] })
  }
  const row = await insertShare(database, shared, { with_group_id: id, group_access, expires_at: expiry })
  if (!row) {
    throw apiError('already_shared', { thing: 'project_id' in shared ? 'Project' : 'Group' })
  }
  return row
}

/** Throws 404 if there is no such share. */
export async function unshare(database: Database, shared: Shared, withGroupId: number): Promise<void> {
  if (!(await deleteShare(database, shared, withGroupId))) throw notFound()
}
