import { humanDuration } from '../../../../lib/working-time.js'
import {
  COMPARED_COLUMNS,
  type MergeRequestFacts,
  type MergeRequestSnapshot,
} from '../outbox/emit-merge-request-event.js'
import { hookTime, hookTimeOrNull } from './hook-times.js'
import { labelBlocks } from './label-blocks.js'
import { findCommit, findUsers, loadProject, type PayloadDeps } from './payload-deps.js'
import {
  commitBlock,
  type ProjectAround,
  projectBlock,
  projectUrl,
  repositoryBlock,
} from './project-blocks.js'
import { type HookUser, userBlock } from './user-block.js'

/** `merge_request` (API, K5); undefined if its project or the user was deleted. */
export async function mergeRequestPayload(
  deps: PayloadDeps,
  projectId: number | null,
  facts: MergeRequestFacts,
) {
  const { after, before, userId, statusCheckId } = facts
  const around = await loadProject(deps, projectId)
  const users = await findUsers(deps, [userId, ...peopleOf(after), ...(before ? peopleOf(before) : [])])
  const user = users.get(userId)
  if (!around || !user) return undefined
  const blocks = (ids: readonly number[]) => blocksOf(ids, users, around)
  return {
    object_kind: 'merge_request',
    event_type: 'merge_request',
    user: userBlock(user, around.externalUrl),
    project: projectBlock(around),
    object_attributes: {
      ...attributesOf(around, facts),
      ...(await branchesOf(deps, around, after)),
      ...(await deps.mergeRequestState(after.mergeRequest)),
    },
    labels: labelBlocks(after.labels),
    changes: changesOf(facts, blocks),
    repository: repositoryBlock(around),
    ...(after.assignees.length > 0 && { assignees: blocks(after.assignees) }),
    ...(after.reviewers.length > 0 && { reviewers: blocks(after.reviewers) }),
    ...(statusCheckId !== undefined && { external_approval_rule: await checkBlock(deps, statusCheckId) }),
  }
}

/** The status check whose service receives the payload; null if it was deleted. */
async function checkBlock({ database, secrets }: PayloadDeps, id: number) {
  const check = await database
    .selectFrom('external_status_check as status_check')
    .innerJoin('web_hook', 'web_hook.status_check_id', 'status_check.id')
    .select(['status_check.id', 'status_check.name', 'web_hook.url_encrypted'])
    .where('status_check.id', '=', id)
    .executeTakeFirst()
  return check ? { id, name: check.name, external_url: secrets.decrypt(check.url_encrypted) } : null
}

function peopleOf({ assignees, reviewers }: MergeRequestSnapshot): number[] {
  return [...assignees, ...reviewers]
}

function blocksOf(ids: readonly number[], users: Map<number, HookUser>, { externalUrl }: ProjectAround) {
  return ids.flatMap((id) => {
    const user = users.get(id)
    return user ? [userBlock(user, externalUrl)] : []
  })
}

const STATE_IDS = { opened: 1, closed: 2, merged: 3, locked: 4 } as const

function attributesOf(around: ProjectAround, { after, before, action, oldrev }: MergeRequestFacts) {
  return { ...attributesIn(around, after, before), action, ...(oldrev !== undefined && { oldrev }) }
}

/** The merge request of a comment (API, K5). */
export async function mergeRequestBlock(
  deps: PayloadDeps,
  around: ProjectAround,
  snapshot: MergeRequestSnapshot,
) {
  return {
    ...attributesIn(around, snapshot, snapshot),
    ...(await branchesOf(deps, around, snapshot)),
    ...(await deps.mergeRequestState(snapshot.mergeRequest)),
  }
}

function attributesIn(
  around: ProjectAround,
  after: MergeRequestSnapshot,
  before: MergeRequestSnapshot | undefined,
) {
  const { mergeRequest: row, assignees, reviewers, labels } = after
  const spent = row.total_time_spent - (before?.mergeRequest.total_time_spent ?? 0)
  return {
    id: row.id,
    iid: row.iid,
    title: row.title,
    description: row.description,
    state: row.state,
    state_id: STATE_IDS[row.state],
    draft: row.draft,
    work_in_progress: row.draft,
    author_id: row.author_id,
    assignee_id: assignees[0] ?? null,
    assignee_ids: assignees,
    reviewer_ids: reviewers,
    milestone_id: row.milestone_id,
    source_branch: row.source_branch,
    source_project_id: row.source_project_id,
    target_branch: row.target_branch,
    target_project_id: row.project_id,
    merge_status: row.merge_status,
    merge_error: row.merge_error,
    merge_commit_sha: row.merge_commit_sha,
    merge_user_id: row.merge_user_id,
    merge_when_pipeline_succeeds: row.merge_when_pipeline_succeeds,
    merge_params: { force_remove_source_branch: row.force_remove_source_branch },
    created_at: hookTime(row.created_at),
    updated_at: hookTime(row.updated_at),
    updated_by_id: row.updated_by_id,
    last_edited_at: hookTimeOrNull(row.last_edited_at),
    last_edited_by_id: row.last_edited_by_id,
    prepared_at: hookTimeOrNull(row.prepared_at),
    discussion_locked: row.discussion_locked,
    time_estimate: row.time_estimate,
    total_time_spent: row.total_time_spent,
    time_change: spent,
    human_time_change: humanDuration(spent),
    human_total_time_spent: humanDuration(row.total_time_spent),
    human_time_estimate: humanDuration(row.time_estimate),
    url: `${projectUrl(around)}/-/merge_requests/${row.iid}`,
    labels: labelBlocks(labels),
  }
}

/** Both projects, and the head of the source branch; `source` is null for a deleted fork. */
async function branchesOf(
  deps: PayloadDeps,
  around: ProjectAround,
  { mergeRequest: { source_project_id, project_id, head_sha } }: MergeRequestSnapshot,
) {
  const source = source_project_id === project_id ? around : await loadProject(deps, source_project_id)
  const commit = head_sha && source ? await findCommit(deps, source.project.id, head_sha) : undefined
  return {
    source: source ? projectBlock(source) : null,
    target: projectBlock(around),
    last_commit: commit ? commitBlock(commit, around) : null,
  }
}

const TIMES = new Set<string>(['updated_at', 'last_edited_at', 'prepared_at'])

/** The attributes that differ; those of a new merge request that are set. */
function changesOf({ after, before }: MergeRequestFacts, blocks: (ids: readonly number[]) => object[]) {
  const changes: Record<string, { previous: unknown; current: unknown }> = {}
  for (const column of COMPARED_COLUMNS) {
    const [previous, current] = [shown(before, column), shown(after, column)]
    if (previous !== current) changes[column] = { previous, current }
  }
  const [was, is] = [before?.mergeRequest.state, after.mergeRequest.state]
  if (was !== is) changes['state_id'] = { previous: was ? STATE_IDS[was] : null, current: STATE_IDS[is] }
  for (const people of ['assignees', 'reviewers'] as const) {
    const were = before?.[people] ?? []
    if (were.join() !== after[people].join()) {
      changes[people] = { previous: blocks(were), current: blocks(after[people]) }
    }
  }
  const hadLabels = before?.labels ?? []
  if (idsOf(hadLabels) !== idsOf(after.labels)) {
    changes['labels'] = { previous: labelBlocks(hadLabels), current: labelBlocks(after.labels) }
  }
  return changes
}

function idsOf(labels: MergeRequestSnapshot['labels']): string {
  return labels.map(({ id }) => id).join()
}

function shown(
  snapshot: MergeRequestSnapshot | undefined,
  column: (typeof COMPARED_COLUMNS)[number],
): unknown {
  const value = snapshot?.mergeRequest[column] ?? null
  return TIMES.has(column) && typeof value === 'number' ? hookTime(value) : value
}
