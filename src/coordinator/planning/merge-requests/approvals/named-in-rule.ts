import { sql, type SqlBool } from 'kysely'

import { maySeeGroup, type Viewer } from '../../../access/visibility.js'
import type { Database } from '../../../database/connect.js'
import { invalidRecord } from '../../../http/errors.js'
import type { ApprovalRule } from '../../stores/approval-rule-store.js'

/** People and branches that a request names. */
export interface Asked {
  user_ids?: number[] | undefined
  usernames?: string[] | undefined
  group_ids?: number[] | undefined
  protected_branch_ids?: number[] | undefined
  applies_to_all_protected_branches?: boolean | undefined
  remove_hidden_groups?: boolean | undefined
}

export type NamedInRule = Pick<ApprovalRule, 'userIds' | 'groupIds' | 'branchIds'>

/**
 * Whom and what a rule names after a request; what the request leaves out stays as in `before`, and so do groups that the
 * caller may not see. Throws 400 for unknown users, groups and branches.
 */
export async function namedByRequest(
  database: Database,
  { projectId, viewer, before }: { projectId: number; viewer: Viewer; before: NamedInRule },
  asked: Asked,
): Promise<NamedInRule> {
  const hidden = await hiddenAmong(database, viewer, before.groupIds)
  const kept = asked.remove_hidden_groups ? [] : hidden
  const isAboutGroups = asked.group_ids !== undefined || asked.remove_hidden_groups
  const shown = asked.group_ids ?? before.groupIds.filter((id) => !hidden.includes(id))
  return {
    userIds: await usersNamed(database, asked, before.userIds),
    groupIds: isAboutGroups
      ? [...new Set([...(await groupsNamed(database, viewer, shown)), ...kept])]
      : before.groupIds,
    branchIds: await branchesNamed(database, projectId, asked, before.branchIds),
  }
}

async function usersNamed(
  database: Database,
  { user_ids, usernames }: Asked,
  before: number[],
): Promise<number[]> {
  if (user_ids === undefined && usernames === undefined) return before
  const names = [...new Set((usernames ?? []).map((name) => name.toLowerCase()))]
  const ids = [...new Set(user_ids)]
  if (ids.length + names.length === 0) return []
  const users = await database
    .selectFrom('user')
    .select(['id', 'username'])
    .where(({ or, eb, ref }) =>
      or([
        ...(ids.length > 0 ? [eb('id', 'in', ids)] : []),
        ...(names.length > 0 ? [sql<SqlBool>`lower(${ref('username')}) in (${sql.join(names)})`] : []),
      ]),
    )
    .execute()
  const foundIds = new Set(users.map(({ id }) => id))
  const foundNames = new Set(users.map(({ username }) => username.toLowerCase()))
  refuseUnknown({
    user_ids: ids.filter((id) => !foundIds.has(id)),
    usernames: names.filter((name) => !foundNames.has(name)),
  })
  return users.map(({ id }) => id)
}

async function groupsNamed(database: Database, viewer: Viewer, asked: number[]): Promise<number[]> {
  const ids = [...new Set(asked)]
  const visible = await visibleAmong(database, viewer, ids)
  refuseUnknown({ group_ids: ids.filter((id) => !visible.includes(id)) })
  return ids
}

/** The groups among these that the caller may not see. */
export async function hiddenAmong(database: Database, viewer: Viewer, ids: number[]): Promise<number[]> {
  const visible = await visibleAmong(database, viewer, ids)
  return ids.filter((id) => !visible.includes(id))
}

async function visibleAmong(database: Database, viewer: Viewer, ids: number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const groups = await database
    .selectFrom('namespace')
    .select('id')
    .where('id', 'in', ids)
    .where('kind', '=', 'group')
    .where(maySeeGroup(viewer))
    .execute()
  return groups.map(({ id }) => id)
}

async function branchesNamed(
  database: Database,
  projectId: number,
  { protected_branch_ids, applies_to_all_protected_branches }: Asked,
  before: number[],
): Promise<number[]> {
  if (applies_to_all_protected_branches) return []
  if (protected_branch_ids === undefined) return before
  const ids = [...new Set(protected_branch_ids)]
  if (ids.length === 0) return []
  const rules = await database
    .selectFrom('protected_ref')
    .select('id')
    .where('project_id', '=', projectId)
    .where('kind', '=', 'branch')
    .where('id', 'in', ids)
    .execute()
  refuseUnknown({ protected_branch_ids: ids.filter((id) => !rules.some((rule) => rule.id === id)) })
  return ids
}

/** Throws 400, which names the parameters that name what does not exist. */
function refuseUnknown(unknown: Record<string, (number | string)[]>): void {
  const problems = Object.entries(unknown)
    .filter(([, values]) => values.length > 0)
    .map(([parameter, values]): [string, string[]] => [parameter, [`do not exist: ${values.join(', ')}`]])
  if (problems.length > 0) throw invalidRecord(Object.fromEntries(problems))
}
