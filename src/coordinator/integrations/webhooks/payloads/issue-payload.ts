import { humanDuration } from '../../../../lib/working-time.js'
import { COMPARED, type IssueFacts, type IssueSnapshot, labelIds } from '../outbox/emit-issue-event.js'
import { hookTime, hookTimeOrNull } from './hook-times.js'
import { labelBlocks } from './label-blocks.js'
import { findUsers, loadProject, type PayloadDeps } from './payload-deps.js'
import { type ProjectAround, projectBlock, projectUrl, repositoryBlock } from './project-blocks.js'
import { type HookUser, userBlock } from './user-block.js'

/** `issue` (API, K5); undefined if its project or the user was deleted. */
export async function issuePayload(deps: PayloadDeps, projectId: number | null, facts: IssueFacts) {
  const { after, before, userId } = facts
  const around = await loadProject(deps, projectId)
  const users = await findUsers(deps, [
    ...new Set([userId, ...after.assignees, ...(before?.assignees ?? [])]),
  ])
  const user = users.get(userId)
  if (!around || !user) return undefined
  const assignees = blocksOf(after.assignees, users, around)
  return {
    object_kind: 'issue',
    event_type: after.issue.confidential ? 'confidential_issue' : 'issue',
    user: userBlock(user, around.externalUrl),
    project: projectBlock(around),
    object_attributes: attributesOf(around, facts),
    labels: labelBlocks(after.labels),
    changes: changesOf(facts, users, around),
    repository: repositoryBlock(around),
    ...(assignees.length > 0 && { assignees, assignee: assignees[0] }),
  }
}

function blocksOf(ids: readonly number[], users: Map<number, HookUser>, { externalUrl }: ProjectAround) {
  return ids.flatMap((id) => {
    const user = users.get(id)
    return user ? [userBlock(user, externalUrl)] : []
  })
}

const STATE_IDS = { opened: 1, closed: 2 } as const

function attributesOf(around: ProjectAround, { after, before, action }: IssueFacts) {
  return { ...attributesIn(around, after, before), action }
}

/** The issue of a comment (API, K5). */
export function issueBlock(around: ProjectAround, snapshot: IssueSnapshot) {
  return attributesIn(around, snapshot, snapshot)
}

function attributesIn(around: ProjectAround, after: IssueSnapshot, before: IssueSnapshot | undefined) {
  const { issue, assignees } = after
  const spent = issue.total_time_spent - (before?.issue.total_time_spent ?? 0)
  const { issue_type, created_at, updated_at, closed_at, last_edited_at, ...columns } = issue
  return {
    ...columns,
    closed_at: hookTimeOrNull(closed_at),
    created_at: hookTime(created_at),
    updated_at: hookTime(updated_at),
    last_edited_at: hookTimeOrNull(last_edited_at),
    duplicated_to_id: null,
    state_id: STATE_IDS[issue.state],
    time_change: spent,
    human_time_change: humanDuration(spent),
    human_total_time_spent: humanDuration(issue.total_time_spent),
    human_time_estimate: humanDuration(issue.time_estimate),
    url: `${projectUrl(around)}/-/issues/${issue.iid}`,
    assignee_ids: assignees,
    assignee_id: assignees[0] ?? null,
    labels: labelBlocks(after.labels),
    severity: 'unknown',
    type: TYPES[issue_type],
  }
}

const TYPES = { issue: 'Issue', incident: 'Incident', test_case: 'Test Case', task: 'Task' } as const

const TIMES = new Set<string>(['closed_at', 'updated_at', 'last_edited_at'])

/** The attributes that differ; those of a new issue that are set. */
function changesOf({ after, before }: IssueFacts, users: Map<number, HookUser>, around: ProjectAround) {
  const changes: Record<string, { previous: unknown; current: unknown }> = {}
  for (const column of COMPARED) {
    const [previous, current] = [shown(before, column), shown(after, column)]
    if (previous !== current) changes[column] = { previous, current }
  }
  if (before?.issue.state !== after.issue.state) {
    const previous = before ? STATE_IDS[before.issue.state] : null
    changes['state_id'] = { previous, current: STATE_IDS[after.issue.state] }
  }
  const were = before?.assignees ?? []
  if (were.join() !== after.assignees.join()) {
    const [previous, current] = [were, after.assignees].map((ids) => blocksOf(ids, users, around))
    changes['assignees'] = { previous, current }
  }
  if (!before ? after.labels.length > 0 : labelIds(before) !== labelIds(after)) {
    changes['labels'] = {
      previous: before ? labelBlocks(before.labels) : [],
      current: labelBlocks(after.labels),
    }
  }
  return changes
}

function shown(snapshot: IssueSnapshot | undefined, column: (typeof COMPARED)[number]): unknown {
  const value = snapshot?.issue[column] ?? null
  return TIMES.has(column) && typeof value === 'number' ? hookTime(value) : value
}
