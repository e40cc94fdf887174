import type { Insertable } from 'kysely'

import { branchOrTag, type RefKind, ZERO_ID } from '../../../git/names.js'
import { chunks } from '../../../lib/chunks.js'
import type { ActivityTable, PushAction } from '../../database/tables/activity-events.js'
import type { Transaction } from '../../database/transaction.js'

type NewActivity = Omit<Insertable<ActivityTable>, 'id' | 'created_at'>

/** `expired`: the membership reached its expiry date. */
export type MemberAction = 'joined' | 'left' | 'expired'

/** Maximum number of rows per statement in both databases. */
const ROWS_PER_QUERY = 100

/** Records that a project was created; does nothing if the author is unknown. */
export async function recordProject(
  tx: Transaction,
  { id, creator_id }: { id: number; creator_id: number | null },
): Promise<void> {
  if (creator_id === null) return
  await record(tx, [{ project_id: id, author_id: creator_id, action: 'created' }])
}

/**
 * Records that users became members of projects or left them. Groups have no such events, nor has the owner
 * of a personal project.
 */
export async function recordMembers(
  tx: Transaction,
  action: MemberAction,
  memberships: readonly { project_id: number | null; user_id: number }[],
): Promise<void> {
  const ofProjects = memberships.flatMap(({ project_id, user_id }) =>
    project_id === null ? [] : [{ project_id, author_id: user_id, action }],
  )
  for (const some of chunks(ofProjects, ROWS_PER_QUERY)) {
    const owners = await personalOwners(
      tx,
      some.map(({ project_id }) => project_id),
    )
    await record(
      tx,
      some.filter(({ project_id, author_id }) => owners.get(project_id) !== author_id),
    )
  }
}

/** Owners of the projects in personal namespaces, by project ID. */
async function personalOwners(tx: Transaction, ids: number[]): Promise<Map<number, number | null>> {
  const rows = await tx
    .selectFrom('project')
    .innerJoin('namespace', 'namespace.id', 'project.namespace_id')
    .select(['project.id', 'namespace.owner_id'])
    .where('project.id', 'in', ids)
    .where('namespace.kind', '=', 'user')
    .execute()
  return new Map(rows.map(({ id, owner_id }) => [id, owner_id]))
}

/** Records that a branch or tag was created, moved or deleted by a push or over the API. */
export async function recordPush(
  tx: Transaction,
  projectId: number,
  { ref, before, after, userId }: { ref: string; before: string; after: string; userId: number },
): Promise<void> {
  const target = branchOrTag(ref)
  if (!target) return
  const push = {
    ref_kind: target.kind,
    ref: target.name,
    commit_from: before === ZERO_ID ? null : before,
    commit_to: after === ZERO_ID ? null : after,
  }
  await record(tx, [{ project_id: projectId, author_id: userId, action: 'pushed', ...push }])
}

/** Records that a push has created, moved or deleted many branches or tags. */
export async function recordBulkPush(
  tx: Transaction,
  projectId: number,
  { kind, action, count, userId }: { kind: RefKind; action: PushAction; count: number; userId: number },
): Promise<void> {
  const push = { ref_kind: kind, push_action: action, ref_count: count }
  await record(tx, [{ project_id: projectId, author_id: userId, action: 'pushed', ...push }])
}

export type TargetAction =
  | 'created'
  | 'closed'
  | 'reopened'
  | 'merged'
  | 'approved'
  | 'updated'
  | 'destroyed'
  | 'commented'

/** The object of an activity. */
export type ActivityTarget =
  | { issue_id: number }
  | { merge_request_id: number }
  | { milestone_id: number }
  | { wiki_page_id: number }
  | { note_id: number }

/** Records what a user did to an issue, a merge request, a milestone or a wiki page of a project, or that they commented. */
export async function recordOnTarget(
  tx: Transaction,
  action: TargetAction,
  { projectId, userId, target }: { projectId: number; userId: number; target: ActivityTarget },
): Promise<void> {
  await record(tx, [{ project_id: projectId, author_id: userId, action, ...target }])
}

async function record(tx: Transaction, rows: NewActivity[]): Promise<void> {
  if (rows.length === 0) return
  const created_at = Date.now()
  await tx
    .insertInto('activity')
    .values(rows.map((row) => ({ ...row, created_at })))
    .execute()
}
