import type { Database } from '../../database/connect.js'
import { isUniqueViolation } from '../../database/unique-violation.js'
import { ApiError, forbidden, notFound } from '../../http/errors.js'
import type { User } from '../../http/operation.js'
import { problemOfPathName } from '../../path-name.js'
import { ownsGroup } from './group-directory.js'
import type { CreateGroup } from './schema.js'
import { findNamespace, insertGroup, type NamespaceRow } from './store.js'

/** Creates a group, whose maker owns it and every project in it. */
export async function createGroup(
  database: Database,
  { name, path, visibility = 'private', parent_id }: CreateGroup,
  user: User,
): Promise<NamespaceRow> {
  const parent = parent_id ? await parentGroup(database, parent_id, user) : undefined
  const problem = problemOfPathName(path, parent ? 'inside' : 'top')
  if (problem) throw unsaved(problem)
  try {
    return await insertGroup(database, {
      kind: 'group',
      name,
      path,
      full_path: parent ? `${parent.full_path}/${path}` : path,
      parent_id: parent?.id ?? null,
      owner_id: user.id,
      visibility,
      shared_runners_setting: parent?.shared_runners_setting ?? 'enabled',
      created_at: Date.now(),
    })
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
  if (group?.kind !== 'group' || !maySee(group, viewer)) throw notFound('Group')
  return group
}

/** 404 for a group that the user may not see, 403 for one that is not the user's. */
export async function ownedGroup(database: Database, idOrPath: string, user: User): Promise<NamespaceRow> {
  const group = await visibleGroup(database, idOrPath, user)
  if (!user.is_admin && !(await ownsGroup(database, group, user))) throw forbidden()
  return group
}

function maySee({ visibility, owner_id }: NamespaceRow, viewer: User | undefined): boolean {
  if (viewer?.is_admin || visibility === 'public') return true
  if (viewer === undefined) return false
  return (visibility === 'internal' && !viewer.external) || owner_id === viewer.id
}

async function parentGroup(database: Database, id: number, user: User): Promise<NamespaceRow> {
  const parent = await visibleGroup(database, String(id), user)
  if (parent.owner_id !== user.id && !user.is_admin) throw forbidden()
  return parent
}

/** The text in which clients look for the reason (API gaps, part D). */
function unsaved(problem: string): ApiError {
  return new ApiError(400, { message: `Failed to save group {:path=>[${JSON.stringify(problem)}]}` })
}
