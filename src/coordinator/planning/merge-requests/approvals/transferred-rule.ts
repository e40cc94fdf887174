import { type Static, Type } from 'typebox'

import type { Project } from '../../../access/caller.js'
import type { Database } from '../../../database/connect.js'
import type { Transaction } from '../../../database/transaction.js'
import type { TransferTarget } from '../../../http/archive-part.js'
import { described, optional } from '../../../http/parameters/described.js'
import type { ApprovalRule } from '../../stores/approval-rule-store.js'
import { peopleNamed, Username } from '../../transfer/transferred-people.js'
import type { NamedInRule } from './named-in-rule.js'

const MAX_NAMED = 1000

/** Whom a rule names, in records of archives. */
export const transferredPeople = {
  usernames: described(Type.Array(Username, { maxItems: MAX_NAMED }), 'Users.'),
  // Archives of 1.0.0 have none.
  groups: optional(
    Type.Array(Type.String({ maxLength: 1024 }), { maxItems: MAX_NAMED }),
    'Full paths of groups.',
  ),
}
type TransferredPeople = Static<ReturnType<typeof Type.Object<typeof transferredPeople>>>

/** Whom rules name, by the ID of the rule. */
export async function peopleInRules(
  database: Database,
  project: Project,
  rules: readonly ApprovalRule[],
): Promise<Map<number, TransferredPeople>> {
  const usernames = await usernamesOf(
    database,
    rules.flatMap(({ userIds }) => userIds),
  )
  const groups = await groupPathsOf(
    database,
    project,
    rules.flatMap(({ groupIds }) => groupIds),
  )
  const named = (ids: readonly number[], names: ReadonlyMap<number, string>) =>
    ids.flatMap((id) => names.get(id) ?? []).toSorted()
  return new Map(
    rules.map(({ id, userIds, groupIds }) => [
      id,
      { usernames: named(userIds, usernames), groups: named(groupIds, groups) },
    ]),
  )
}

/** The users and groups that a record names. As with users, only an administrator can vouch for the groups of a path. */
export async function namedInRecord(
  tx: Transaction,
  target: TransferTarget,
  { usernames, groups = [] }: TransferredPeople,
): Promise<Pick<NamedInRule, 'userIds' | 'groupIds'>> {
  const people = await peopleNamed(tx, target, usernames)
  return {
    userIds: [...new Set(people.values())],
    groupIds: target.importer.is_admin ? await groupsWithPaths(tx, groups) : [],
  }
}

async function usernamesOf(database: Database, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await database.selectFrom('user').select(['id', 'username']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, username }) => [id, username]))
}

/** Without private groups that have nothing to do with the project: who exports it might not see them. */
async function groupPathsOf(
  database: Database,
  { id: projectId, full_path }: Project,
  ids: readonly number[],
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await database
    .selectFrom('namespace')
    .select(['id', 'full_path', 'visibility'])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('share')
          .select('share.id')
          .whereRef('share.with_group_id', '=', 'namespace.id')
          .where('share.project_id', '=', projectId),
      ).as('is_invited'),
    )
    .where('id', 'in', ids)
    .execute()
  const known = rows.filter(
    (group) =>
      group.visibility !== 'private' || group.is_invited || full_path.startsWith(`${group.full_path}/`),
  )
  return new Map(known.map((group) => [group.id, group.full_path]))
}

async function groupsWithPaths(database: Database, paths: readonly string[]): Promise<number[]> {
  if (paths.length === 0) return []
  const rows = await database
    .selectFrom('namespace')
    .select('id')
    .where('full_path', 'in', paths)
    .where('kind', '=', 'group')
    .execute()
  return rows.map(({ id }) => id)
}
