import { type Selectable, sql } from 'kysely'

import type { User } from '../../access/caller.js'
import { isInvolved } from '../../access/planning-visibility.js'
import { maySeeGroup } from '../../access/visibility.js'
import type { Database } from '../../database/connect.js'
import type { NamespaceTable } from '../../database/tables/projects.js'
import type { MilestoneRow } from '../../hosting/milestone-store.js'
import type { IssueRow } from '../stores/issue-store.js'

/** Issues of a project by number. Without `seesAll`, confidential ones only if the user takes part in them. */
export function issuesNumbered(
  database: Database,
  { projectId, user, seesAll }: { projectId: number; user: User | undefined; seesAll: boolean },
  iids: readonly number[],
): Promise<IssueRow[]> {
  const query = database
    .selectFrom('issue')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('iid', 'in', iids)
  if (seesAll) return query.execute()
  return query.where(({ or, eb }) => or([eb('confidential', '=', false), isInvolved(user)])).execute()
}

/** Titles of merge requests of a project, by number. */
export async function mergeRequestTitles(
  database: Database,
  projectId: number,
  iids: readonly number[],
): Promise<Map<number, string>> {
  const rows = await database
    .selectFrom('merge_request')
    .select(['iid', 'title'])
    .where('project_id', '=', projectId)
    .where('iid', 'in', iids)
    .execute()
  return new Map(rows.map(({ iid, title }) => [iid, title]))
}

/** Milestones of a project by number. */
export function milestonesNumbered(
  database: Database,
  projectId: number,
  iids: readonly number[],
): Promise<MilestoneRow[]> {
  return database
    .selectFrom('milestone')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('iid', 'in', iids)
    .execute()
}

/** Users by username in lower case. */
export async function usersNamed(
  database: Database,
  names: readonly string[],
): Promise<Map<string, { username: string; name: string }>> {
  const rows = await database
    .selectFrom('user')
    .select(['username', 'name'])
    .where(sql`lower("user".username)`, 'in', names)
    .execute()
  return new Map(rows.map((row) => [row.username.toLowerCase(), row]))
}

/** Groups by full path in lower case, as far as the user may see them. */
export async function groupsNamed(
  database: Database,
  user: User | undefined,
  paths: readonly string[],
): Promise<Map<string, Selectable<NamespaceTable>>> {
  const rows = await database
    .selectFrom('namespace')
    .selectAll()
    .where('kind', '=', 'group')
    .where(sql`lower(namespace.full_path)`, 'in', paths)
    .where(() => maySeeGroup(user))
    .execute()
  return new Map(rows.map((row) => [row.full_path.toLowerCase(), row]))
}
