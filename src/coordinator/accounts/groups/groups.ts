import type { Insertable } from 'kysely'

import { problemOfPathName } from '../../../addresses/path-name.js'
import { newToken, tokenDigest } from '../../../lib/tokens.js'
import { MAINTAINER, OWNER } from '../../access/access-levels.js'
import { effectiveGroupLevel } from '../../access/access.js'
import type { User } from '../../access/caller.js'
import { memberLevelInGroup } from '../../access/membership-levels.js'
import type { SecretBox } from '../../crypto/secret-box.js'
import type { Database } from '../../database/connect.js'
import { effectiveSettings } from '../../database/stores/application-setting-store.js'
import type { NamespaceRow } from '../../database/stores/namespace-store.js'
import type { EffectiveSettings } from '../../database/tables/application-settings.js'
import type { NamespaceTable } from '../../database/tables/projects.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import { isUniqueViolation } from '../../database/unique-violation.js'
import { lockPlace } from '../../hosting/paths/lock-path.js'
import { refuseRestricted } from '../../hosting/restricted-visibility.js'
import { type ApiError, apiError, forbidden, notFound } from '../../http/errors.js'
import type { CreateGroup } from './schema.js'
import { settingsFor } from './settings.js'
import { findNamespace, hasProjectOfPath, insertGroup } from './store.js'
import { problemInParent, usualVisibility } from './visibility-rules.js'

const RUNNER_REGISTRATION_PREFIX = 'GR1348941'

/** Minimum access level to create subgroups (API, A15). */
const LEAST_LEVEL = { maintainer: MAINTAINER, owner: OWNER }

export interface CreateGroupDeps {
  database: Database
  secrets: SecretBox
  /** Called in the transaction that creates the group. */
  onCreated?: (tx: Transaction, group: NamespaceRow) => Promise<void>
}

/** Creates a group; the creator becomes its first owner. */
export async function createGroup(
  { database, secrets, onCreated }: CreateGroupDeps,
  params: CreateGroup,
  user: User,
): Promise<NamespaceRow> {
  const parent = params.parent_id ? await parentFor(database, params.parent_id, user) : undefined
  if (!parent) refuseAtTop(user)
  const defaults = await effectiveSettings(
    database,
    'default_branch_protection',
    'default_group_visibility',
    'default_project_creation',
  )
  const { path } = params
  const visibility = params.visibility ?? usualVisibility(defaults.default_group_visibility, parent)
  await refuseRestricted(database, visibility, user)
  const problem = problemOfPathName(path, parent ? 'inside' : 'top')
  if (problem) throw unsaved('path', problem)
  const tooOpen = problemInParent(visibility, parent)
  if (tooOpen) throw unsaved('visibility_level', tooOpen)
  try {
    return await inTransaction(database, async (tx) => {
      const place = parent && (await lockPlace(tx, parent.id))
      const isTaken = place !== undefined && (await hasProjectOfPath(tx, place.id, path))
      if (isTaken) throw unsaved('path', 'has already been taken')
      const row = newGroup(secrets, { ...params, visibility }, { user, parent: place, defaults })
      const group = await insertGroup(tx, row, user.id)
      await onCreated?.(tx, group)
      return group
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw unsaved('path', 'has already been taken')
    throw error
  }
}

interface NewGroupContext {
  user: User
  parent: NamespaceRow | undefined
  defaults: Pick<EffectiveSettings, 'default_branch_protection' | 'default_project_creation'>
}

/** The users who may create projects, by the number in the settings of the instance. */
const CREATION_LEVELS = { 0: 'noone', 1: 'maintainer', 2: 'developer' } as const

function newGroup(
  secrets: SecretBox,
  params: CreateGroup & { visibility: NamespaceRow['visibility'] },
  { user, parent, defaults }: NewGroupContext,
): Insertable<NamespaceTable> {
  const { name, path, visibility } = params
  const token = newToken(RUNNER_REGISTRATION_PREFIX)
  return {
    kind: 'group',
    project_creation_level: CREATION_LEVELS[defaults.default_project_creation],
    default_branch_protection: defaults.default_branch_protection,
    subgroup_creation_level: 'maintainer',
    ...settingsFor(params, user),
    name,
    path,
    visibility,
    full_path: parent ? `${parent.full_path}/${path}` : path,
    parent_id: parent?.id ?? null,
    shared_runners_setting: parent?.shared_runners_setting ?? 'enabled',
    runners_token_digest: tokenDigest(token),
    runners_token_encrypted: secrets.encrypt(token),
    created_at: Date.now(),
  }
}

/** Throws 403 for users who may not create top-level groups. */
export function refuseAtTop(user: User): void {
  if (!user.is_admin && !user.can_create_group) throw forbidden()
}

/** The parent group of a new group; throws 404 if it is hidden from the user. */
export async function parentFor(database: Database, id: number, user: User): Promise<NamespaceRow> {
  const parent = await visibleGroup(database, String(id), user)
  if ((await levelOf(database, parent, user)) < LEAST_LEVEL[parent.subgroup_creation_level]) throw forbidden()
  return parent
}

/** The current row; throws 404 if the group was deleted in the meantime. */
export async function existingGroup(database: Database, id: number): Promise<NamespaceRow> {
  const group = await findNamespace(database, String(id))
  if (!group) throw notFound('Group')
  return group
}

/** Throws 404 for a group that the viewer may not see. */
export async function visibleGroup(
  database: Database,
  idOrPath: string,
  viewer: User | undefined,
): Promise<NamespaceRow> {
  const group = await findNamespace(database, idOrPath)
  const level = group?.kind === 'group' ? await levelOf(database, group, viewer) : 0
  if (!group || level === 0) throw notFound('Group')
  return group
}

/** Throws 404 for a group that the user may not see, and 403 for one that the user does not own. */
export async function ownedGroup(database: Database, idOrPath: string, user: User): Promise<NamespaceRow> {
  const group = await visibleGroup(database, idOrPath, user)
  if ((await levelOf(database, group, user)) < OWNER) throw forbidden()
  return group
}

/** A personal namespace is visible to its user. */
export async function maySeeNamespace(database: Database, row: NamespaceRow, user: User): Promise<boolean> {
  if (row.kind === 'user') return row.owner_id === user.id || user.is_admin
  return (await levelOf(database, row, user)) > 0
}

/**
 * Effective access level: administrators count as owners, and users who may see a public or internal group as
 * guests (API, A15).
 */
async function levelOf(database: Database, group: NamespaceRow, viewer: User | undefined): Promise<number> {
  const membership = viewer ? await memberLevelInGroup(database, viewer.id, group.id) : 0
  return effectiveGroupLevel(viewer, group, membership)
}

/** Clients search for the reason in this text (API, D). */
function unsaved(field: string, problem: string): ApiError {
  return apiError('group_not_saved', { field, problem: JSON.stringify(problem) })
}
