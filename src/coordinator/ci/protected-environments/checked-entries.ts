import {
  createGroupLevelsReader,
  createProjectLevelsReader,
  highest,
} from '../../access/membership-levels.js'
import type { Database } from '../../database/connect.js'
import { type ApiError, apiError } from '../../http/errors.js'
import { ENTRY_LEVELS } from '../engine/deployments/protection/fits-entry.js'
import type { EntryParameters } from './schema.js'
import type { NewEntry, ProtectionOwner } from './store.js'

const LEVELS: number[] = Object.values(ENTRY_LEVELS)

/** Throws 422 for an entry that does not name exactly one role, user or group, or names an invalid one. */
export async function checkedEntry(
  database: Database,
  owner: ProtectionOwner,
  kind: NewEntry['kind'],
  entry: EntryParameters,
): Promise<NewEntry> {
  const { access_level = null, user_id = null, group_id = null } = entry
  if ([access_level, user_id, group_id].filter((given) => given !== null).length !== 1) {
    throw unprocessable('Each entry needs exactly one of access_level, user_id and group_id')
  }
  if (access_level !== null && !LEVELS.includes(access_level)) {
    throw unprocessable(`Access level is not included in the list: ${LEVELS.join(', ')}`)
  }
  if (user_id !== null && !(await isDeveloper(database, owner, user_id))) {
    throw unprocessable(`User ${user_id} is not a developer of the ${owner.kind}`)
  }
  if (group_id !== null && !(await isRelated(database, owner, group_id))) {
    throw unprocessable(
      owner.kind === 'project'
        ? `Group ${group_id} is neither above the project nor shared with it`
        : `Group ${group_id} is neither this group nor below it`,
    )
  }
  return {
    kind,
    access_level,
    user_id,
    group_id,
    group_inheritance_type: entry.group_inheritance_type ?? 0,
    required_approvals: entry.required_approvals ?? 1,
  }
}

async function isDeveloper(database: Database, owner: ProtectionOwner, userId: number): Promise<boolean> {
  return (await levelOf(database, owner, userId)) >= ENTRY_LEVELS.developer
}

async function levelOf(database: Database, { kind, id }: ProtectionOwner, userId: number): Promise<number> {
  if (kind === 'group') return highest(await createGroupLevelsReader(database)(userId, id))
  const project = await database
    .selectFrom('project')
    .select(['id', 'namespace_id'])
    .where('id', '=', id)
    .executeTakeFirst()
  return project ? highest(await createProjectLevelsReader(database)(userId, project)) : 0
}

/** Groups unrelated to the owner are refused, because the response would disclose their names. */
async function isRelated(
  database: Database,
  { kind, id }: ProtectionOwner,
  groupId: number,
): Promise<boolean> {
  if (kind === 'group') {
    const below = await database
      .selectFrom('group_tree')
      .select('group_id')
      .where('group_id', '=', groupId)
      .where('ancestor_id', '=', id)
      .executeTakeFirst()
    return below !== undefined
  }
  const above = await database
    .selectFrom('project')
    .innerJoin('group_tree', 'group_tree.group_id', 'project.namespace_id')
    .innerJoin('namespace', 'namespace.id', 'group_tree.ancestor_id')
    .select('namespace.id')
    .where('project.id', '=', id)
    .where('namespace.kind', '=', 'group')
    .where('namespace.id', '=', groupId)
    .executeTakeFirst()
  if (above) return true
  const shared = await database
    .selectFrom('share')
    .select('id')
    .where('project_id', '=', id)
    .where('with_group_id', '=', groupId)
    .executeTakeFirst()
  return shared !== undefined
}

export function unprocessable(reason: string): ApiError {
  return apiError('environment_access_invalid', { reason })
}
