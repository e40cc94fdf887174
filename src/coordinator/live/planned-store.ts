import type { Database } from '../database/connect.js'

export type PlannedKind = 'issue' | 'merge-request'

/** Where an issue or merge request is. */
export interface PlacedPlanned {
  id: number
  project_id: number
  /** Path of the project. */
  full_path: string
  /** Whether the project alone does not decide who may see it. */
  confidential: boolean
}

export async function findPlacedPlanned(
  database: Database,
  kind: PlannedKind,
  ids: readonly number[],
): Promise<PlacedPlanned[]> {
  if (kind === 'issue') {
    return database
      .selectFrom('issue')
      .innerJoin('project', 'project.id', 'issue.project_id')
      .select(['issue.id', 'issue.project_id', 'issue.confidential', 'project.full_path'])
      .where('issue.id', 'in', ids)
      .execute()
  }
  const rows = await database
    .selectFrom('merge_request')
    .innerJoin('project', 'project.id', 'merge_request.project_id')
    .select(['merge_request.id', 'merge_request.project_id', 'project.full_path'])
    .where('merge_request.id', 'in', ids)
    .execute()
  return rows.map((row) => ({ ...row, confidential: false }))
}

/** Paths of groups by their IDs. */
export async function findGroupPaths(
  database: Database,
  ids: readonly number[],
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await database
    .selectFrom('namespace')
    .select(['id', 'full_path'])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, full_path }) => [id, full_path]))
}

/** Paths of projects by their IDs. */
export async function findProjectPaths(
  database: Database,
  ids: readonly number[],
): Promise<Map<number, string>> {
  const rows = await database
    .selectFrom('project')
    .select(['id', 'full_path'])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, full_path }) => [id, full_path]))
}

/** Authors, assignees and reviewers, with the ID of the record. */
export function findPeopleOfPlanned(
  database: Database,
  kind: PlannedKind,
  ids: readonly number[],
): Promise<{ id: number; user_id: number }[]> {
  if (kind === 'issue') {
    return database
      .selectFrom('issue')
      .select(['id', 'author_id as user_id'])
      .where('id', 'in', ids)
      .unionAll(
        database
          .selectFrom('issue_assignee')
          .select(['issue_id as id', 'user_id'])
          .where('issue_id', 'in', ids),
      )
      .execute()
  }
  return database
    .selectFrom('merge_request')
    .select(['id', 'author_id as user_id'])
    .where('id', 'in', ids)
    .unionAll(
      database
        .selectFrom('merge_request_assignee')
        .select(['merge_request_id as id', 'user_id'])
        .where('merge_request_id', 'in', ids),
    )
    .unionAll(
      database
        .selectFrom('merge_request_reviewer')
        .select(['merge_request_id as id', 'user_id'])
        .where('merge_request_id', 'in', ids),
    )
    .execute()
}

/** IDs of records that have changed since a time, in milliseconds, anywhere. */
export async function findChangedPlanned(
  database: Database,
  kind: PlannedKind,
  { changedAfter, limit }: { changedAfter: number; limit: number },
): Promise<number[]> {
  const rows = await database
    .selectFrom(kind === 'issue' ? 'issue' : 'merge_request')
    .select('id')
    .where('updated_at', '>', changedAfter)
    .orderBy('updated_at')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}
