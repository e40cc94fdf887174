import { sql } from 'kysely'

import { isLive } from '../../access/is-live.js'
import { maySeeGroup, type Viewer } from '../../access/visibility.js'
import type { Database } from '../../database/connect.js'
import type { MergedRequest } from './origins.js'

/** Number of values per query. */
const CHUNK = 5000

/** Merged merge requests of a project whose head, merge or squash is one of the commits, in the order of their merge. */
export async function mergedRequestsAt(
  database: Database,
  projectId: number,
  shas: readonly string[],
): Promise<MergedRequest[]> {
  const found = new Map<number, MergedRequest & { merged_at: number | null }>()
  for (let start = 0; start < shas.length; start += CHUNK) {
    const some = shas.slice(start, start + CHUNK)
    const rows = await database
      .selectFrom('merge_request')
      .select(({ selectFrom }) => [
        'iid',
        'merged_at',
        'head_sha as headSha',
        'merge_commit_sha as mergeCommitSha',
        'squash_commit_sha as squashCommitSha',
        selectFrom('merge_request_version')
          .select('start_sha')
          .whereRef('merge_request_version.merge_request_id', '=', 'merge_request.id')
          .whereRef('merge_request_version.head_sha', '=', 'merge_request.head_sha')
          .orderBy('merge_request_version.id', 'desc')
          .limit(1)
          .as('startSha'),
      ])
      .where('project_id', '=', projectId)
      .where('state', '=', 'merged')
      .where(({ or, eb }) =>
        or([
          eb('head_sha', 'in', some),
          eb('merge_commit_sha', 'in', some),
          eb('squash_commit_sha', 'in', some),
        ]),
      )
      .execute()
    for (const row of rows) found.set(row.iid, row)
  }
  return [...found.values()].toSorted(
    (one, other) => (one.merged_at ?? 0) - (other.merged_at ?? 0) || one.iid - other.iid,
  )
}

export interface Author {
  id: number
  username: string
}

/** Users by their confirmed addresses, in lower case. */
export async function authorsByEmail(
  database: Database,
  emails: readonly string[],
): Promise<Map<string, Author>> {
  const wanted = [...new Set(emails.map((email) => email.toLowerCase()))]
  const authors = new Map<string, Author>()
  for (let start = 0; start < wanted.length; start += CHUNK) {
    const some = wanted.slice(start, start + CHUNK)
    const others = await database
      .selectFrom('user_email')
      .innerJoin('user', 'user.id', 'user_email.user_id')
      .select(['user.id', 'user.username', 'user_email.email'])
      .where(sql`lower(user_email.email)`, 'in', some)
      .where('user_email.confirmed_at', 'is not', null)
      .execute()
    const users = await database
      .selectFrom('user')
      .select(['id', 'username', 'email'])
      .where(sql`lower(email)`, 'in', some)
      .execute()
    for (const { email, ...author } of [...others, ...users]) authors.set(email.toLowerCase(), author)
  }
  return authors
}

/** IDs of the direct members of those of the groups that the viewer may see. */
export async function membersOfGroups(
  database: Database,
  paths: readonly string[],
  viewer: Viewer,
): Promise<Set<number>> {
  if (paths.length === 0) return new Set()
  const rows = await database
    .selectFrom('member')
    .innerJoin('namespace', 'namespace.id', 'member.group_id')
    .select('member.user_id')
    .where('namespace.kind', '=', 'group')
    .where('namespace.full_path', 'in', [...paths])
    .where(maySeeGroup(viewer))
    .where(isLive('member', Date.now()))
    .execute()
  return new Set(rows.map(({ user_id }) => user_id))
}
