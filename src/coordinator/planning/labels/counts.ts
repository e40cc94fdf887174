import type { User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { fromEachProject, readableProjects } from '../access/visible-issues.js'
import { ofEachTarget, readableTargets } from '../access/visible-merge-requests.js'
import type { LabelOwner } from '../stores/label-store.js'

/** Numbers of what has a label and the viewer sees. */
export interface LabelCounts {
  open_issues_count: number
  closed_issues_count: number
  open_merge_requests_count: number
}

const NO_COUNTS: LabelCounts = {
  open_issues_count: 0,
  closed_issues_count: 0,
  open_merge_requests_count: 0,
}

/** The numbers for each of the labels, in a project or in a group with all groups in it; by the IDs of the labels. */
export async function labelCounts(
  database: Database,
  owner: LabelOwner,
  viewer: User | undefined,
  ids: readonly number[],
): Promise<Map<number, LabelCounts>> {
  const counts = new Map(ids.map((id) => [id, { ...NO_COUNTS }]))
  if (ids.length === 0) return counts
  const groupId = 'group_id' in owner ? owner.group_id : undefined
  const projectId = 'project_id' in owner ? owner.project_id : 0
  const scope = { groupId, viewer, non_archived: false }
  const issues = await fromEachProject(readableProjects(database, scope), viewer)
    .innerJoin('issue_label', 'issue_label.issue_id', 'issue.id')
    .select(['issue_label.label_id', 'issue.state', ({ fn }) => fn.countAll<number>().as('total')])
    .where('issue_label.label_id', 'in', ids)
    .$if(groupId === undefined, (query) => query.where('issue.project_id', '=', projectId))
    .groupBy(['issue_label.label_id', 'issue.state'])
    .execute()
  for (const { label_id, state, total } of issues) {
    const count = counts.get(label_id)
    if (count) count[state === 'closed' ? 'closed_issues_count' : 'open_issues_count'] += total
  }
  const mergeRequests = await ofEachTarget(readableTargets(database, scope))
    .innerJoin('merge_request_label', 'merge_request_label.merge_request_id', 'merge_request.id')
    .select(['merge_request_label.label_id', ({ fn }) => fn.countAll<number>().as('total')])
    .where('merge_request_label.label_id', 'in', ids)
    .where('merge_request.state', '=', 'opened')
    .$if(groupId === undefined, (query) => query.where('merge_request.project_id', '=', projectId))
    .groupBy('merge_request_label.label_id')
    .execute()
  for (const { label_id, total } of mergeRequests) {
    const count = counts.get(label_id)
    if (count) count.open_merge_requests_count += total
  }
  return counts
}
