import type { Database } from '../../database/connect.js'
import { isUniqueViolation } from '../../database/unique-violation.js'
import { effectiveGroupLevel } from '../../http/access.js'
import { ApiError, forbidden, notFound } from '../../http/errors.js'
import type { User } from '../../http/operation.js'
import { problemOfPathName } from '../../path-name.js'
import { memberLevelInGroup } from '../../standing/levels.js'
import type { CreateGroup } from './schema.js'
import { findNamespace, insertGroup, type NamespaceRow } from './store.js'

const OWNER = 50

/** From which level on one creates groups in a group (API gaps, A15). */
const LEAST_LEVEL = { maintainer: 40, owner: 50 }

/** Creates a group, whose maker becomes its first owner. */
export async function createGroup(
  database: Database,
  { name, path, visibility = 'private', parent_id }: CreateGroup,
  user: User,
): Promise<NamespaceRow> {
  const parent = parent_id ? await parentGroup(database, parent_id, user) : undefined
  const problem = problemOfPathName(path, parent ? 'inside' : 'top')
  if (problem) throw unsaved(problem)
  const values = {
    kind: 'group',
    name,
    path,
    full_path: parent ? `${parent.full_path}/${path}` : path,
    parent_id: parent?.id ?? null,
    project_creation_level: 'developer',
    subgroup_creation_level: 'maintainer',
    visibility,
    shared_runners_setting: parent?.shared_runners_setting ?? 'enabled',
    created_at: Date.now(),
  } as const
  try {
    return await insertGroup(database, values, user.id)
  } catch (error) {
    if (isUniqueViolation(error)) throw unsaved('has already been taken')
    throw error
  }
}

/** 404 for a group that the viewer may not see. */
async function visibleGroup(
  database: Database,
  idOrPath: string,
  viewer: User | undefined,
): Promise<NamespaceRow> {
  const group = await findNamespace(database, idOrPath)
  const level = group?.kind === 'group' ? await levelOf(database, group, viewer) : 0
  if (!group || level === 0) throw notFound('Group')
  return group
}

/** 404 for a group that the user may not see, 403 for one that is not the user's. */
export async function ownedGroup(database: Database, idOrPath: string, user: User): Promise<NamespaceRow> {
  const group = await visibleGroup(database, idOrPath, user)
  if ((await levelOf(database, group, user)) < OWNER) throw forbidden()
  return group
}

/** Personal namespaces are seen by their users. */
export async function maySeeNamespace(database: Database, row: NamespaceRow, user: User): Promise<boolean> {
  if (row.kind === 'user') return row.owner_id === user.id || user.is_admin
  return (await levelOf(database, row, user)) > 0
}

async function levelOf(database: Database, group: NamespaceRow, viewer: User | undefined): Promise<number> {
  const membership = viewer ? await memberLevelInGroup(database, viewer.id, group.id) : 0
  return effectiveGroupLevel(viewer, group, membership)
}

async function parentGroup(database: Database, id: number, user: User): Promise<NamespaceRow> {
  const parent = await visibleGroup(database, String(id), user)
  if ((await levelOf(database, parent, user)) < LEAST_LEVEL[parent.subgroup_creation_level]) throw forbidden()
  return parent
}

/** The text in which clients look for the reason (API gaps, part D). */
function unsaved(problem: string): ApiError {
  return new ApiError(400, { message: `Failed to save group {:path=>[${JSON.stringify(problem)}]}` })
}
