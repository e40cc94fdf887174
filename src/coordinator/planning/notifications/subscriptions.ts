import type { Database } from '../../database/connect.js'

/** What users have chosen for an issue: mails, or none. */
export async function subscribersOfIssue(database: Database, issueId: number): Promise<Map<number, boolean>> {
  const rows = await database
    .selectFrom('issue_subscription')
    .select(['user_id', 'subscribed'])
    .where('issue_id', '=', issueId)
    .execute()
  return new Map(rows.map(({ user_id, subscribed }) => [user_id, subscribed]))
}

/** As `subscribersOfIssue`, for a merge request. */
export async function subscribersOfMergeRequest(
  database: Database,
  mergeRequestId: number,
): Promise<Map<number, boolean>> {
  const rows = await database
    .selectFrom('merge_request_subscription')
    .select(['user_id', 'subscribed'])
    .where('merge_request_id', '=', mergeRequestId)
    .execute()
  return new Map(rows.map(({ user_id, subscribed }) => [user_id, subscribed]))
}

/** IDs of the users who are subscribed to one of the labels: in the project, or in the group of the label. */
export async function labelSubscribers(
  database: Database,
  projectId: number,
  labelIds: readonly number[],
): Promise<number[]> {
  if (labelIds.length === 0) return []
  const rows = await database
    .selectFrom('label_subscription')
    .select('user_id')
    .distinct()
    .where('label_id', 'in', labelIds)
    .where(({ or, eb }) => or([eb('project_id', 'is', null), eb('project_id', '=', projectId)]))
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** IDs of the active users with one of these names, which are in lower case. */
export async function activeUsersNamed(database: Database, names: Iterable<string>): Promise<number[]> {
  const wanted = [...names]
  if (wanted.length === 0) return []
  const rows = await database
    .selectFrom('user')
    .select('id')
    .where(({ fn }) => fn('lower', ['username']), 'in', wanted)
    .where('state', '=', 'active')
    .execute()
  return rows.map(({ id }) => id)
}
