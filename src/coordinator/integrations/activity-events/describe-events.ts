import type { User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { findDefaultBranch, findFullPaths } from '../../database/stores/project-store.js'
import type { PushAction } from '../../database/tables/activity-events.js'
import { isoTime } from '../../http/presenters/present-time.js'
import { presentUser } from '../../http/presenters/present-user.js'
import { usersById } from '../../http/presenters/users-by-id.js'
import { type EventTarget, NO_TARGET, targetsOf } from './event-targets.js'
import type { Event } from './schema.js'
import { type ActivityRow, saveCommitFacts } from './store.js'

export interface EventDeps {
  database: Database
  /** Undefined if the repository no longer has the commits. */
  summarizePush: (pushed: PushedBranch, signal: AbortSignal) => Promise<PushSummary | undefined>
  externalUrl: string
}

interface PushedBranch {
  projectId: number
  ref: string
  /** Null for a new branch. */
  from: string | null
  to: string
  defaultBranch: string | null
}

type PushSummary = Pick<ActivityRow, 'commit_title' | 'commit_count'>

/** The events of a page as clients see them (API, G8). `signal` aborts when the client disconnects. */
export async function describeEvents(
  deps: EventDeps,
  rows: ActivityRow[],
  signal: AbortSignal,
): Promise<Event[]> {
  const authors = await usersById(
    deps.database,
    rows.map(({ author_id }) => author_id),
  )
  const paths = await findFullPaths(
    deps.database,
    rows.map(({ project_id }) => project_id),
  )
  const targets = await targetsOf(deps.database, rows)
  const events: Event[] = []
  for (const row of rows) {
    const author = authors.get(row.author_id)
    // The deletion of an author also deletes the events, so an event without author is skipped.
    if (!author) continue
    const target = targets.get(row.id) ?? NO_TARGET
    const path = paths.get(row.project_id) ?? null
    events.push(present(deps, await withCommitFacts(deps, row, signal), { author, path, target }))
  }
  return events
}

/** Counts the commits of a push on the first read, because most pushes are never viewed. */
async function withCommitFacts(deps: EventDeps, row: ActivityRow, signal: AbortSignal): Promise<ActivityRow> {
  const { project_id: projectId, ref_kind, ref, commit_from: from, commit_to: to, commit_count } = row
  if (ref_kind !== 'branch' || ref === null || to === null || commit_count !== null) return row
  const defaultBranch = await findDefaultBranch(deps.database, projectId)
  const facts = await deps.summarizePush({ projectId, ref, from, to, defaultBranch }, signal)
  if (!facts) return row
  await saveCommitFacts(deps.database, row.id, facts)
  return { ...row, ...facts }
}

function present(
  { externalUrl }: EventDeps,
  row: ActivityRow,
  { author, path, target }: { author: User; path: string | null; target: EventTarget },
): Event {
  const { note, ...on } = target
  const by = presentUser(author, externalUrl)
  return {
    id: row.id,
    project_id: row.project_id,
    project_path: path,
    action_name: actionName(row),
    ...on,
    author_id: row.author_id,
    created_at: isoTime(row.created_at),
    author: by,
    author_username: author.username,
    ...(note && { note: { ...note, author: by } }),
    ...pushData(row),
  }
}

/** Names of actions on issues, merge requests and milestones where they differ from those of filters (API, G8). */
const ON_TARGETS: Partial<Record<ActivityRow['action'], string>> = {
  created: 'opened',
  reopened: 'opened',
  merged: 'accepted',
}

function actionName(row: ActivityRow): string {
  const { action } = row
  if (action === 'expired') return 'removed due to membership expiration from'
  if (action === 'commented') return 'commented on'
  const onTarget = row.issue_id ?? row.merge_request_id ?? row.milestone_id
  if (onTarget !== null) return ON_TARGETS[action] ?? action
  return action === 'pushed' ? OF_PUSHES[pushAction(row)] : action
}

const OF_PUSHES: Record<PushAction, string> = {
  created: 'pushed new',
  pushed: 'pushed to',
  removed: 'deleted',
}

function pushAction({ push_action, commit_from, commit_to }: ActivityRow): PushAction {
  if (push_action !== null) return push_action
  if (commit_to === null) return 'removed'
  return commit_from === null ? 'created' : 'pushed'
}

function pushData(row: ActivityRow): Pick<Event, 'push_data'> {
  const { ref_kind, ref, commit_from, commit_to, commit_title, ref_count } = row
  if (ref_kind === null) return {}
  return {
    push_data: {
      commit_count: row.commit_count ?? 0,
      action: pushAction(row),
      ref_type: ref_kind,
      commit_from,
      commit_to,
      ref,
      commit_title,
      ref_count,
    },
  }
}
