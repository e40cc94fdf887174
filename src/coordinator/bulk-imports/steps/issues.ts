import type { EntityRun, Step } from '../run.js'
import { type SourceIssue as Issue, SourceIssue } from '../source/records.js'
import { importDiscussions } from './discussions.js'
import { listStep } from './list-step.js'
import { withOrigin } from './origin.js'
import { partNamed, targetOf } from './owners.js'

/** Issues with their comments. */
export const issueStep: Step = listStep({
  kind: 'issues',
  // In the order of their creation, so that pages do not shift when issues are added during the import.
  path: 'issues?scope=all&state=all&with_labels_details=false&order_by=created_at&sort=asc',
  schema: SourceIssue,
  keyOf: ({ id }) => id,
  nameOf: ({ iid, title }) => `#${iid} ${title}`,
  write: async (run, issue, onWritten) => {
    const people = await run.people.authors(run.importer, peopleIn(issue))
    const target = targetOf(run, { people, onWritten })
    await partNamed(run, 'issues').write(target, issueRecord(run, issue, people))
  },
  afterPage: (run, issues) => importDiscussions(run, 'issues', issues),
})

function peopleIn({ author, closed_by, assignees }: Issue) {
  return [author, closed_by, ...(assignees ?? [])]
}

/** Issues of kinds that exist here; others become plain issues. */
const TYPES = ['issue', 'incident', 'test_case', 'task']

/** The issue as a record of an archive. */
function issueRecord(run: EntityRun, issue: Issue, people: ReadonlyMap<string, number>) {
  const { iid, title, state, author, created_at, updated_at, closed_at, closed_by, time_stats } = issue
  return {
    iid,
    title,
    state,
    description: withOrigin(run, issue.description, author, people),
    labels: issue.labels ?? [],
    milestone: issue.milestone?.title ?? null,
    author: author?.username,
    assignees: (issue.assignees ?? []).map(({ username }) => username),
    confidential: issue.confidential ?? false,
    discussion_locked: issue.discussion_locked ?? null,
    due_date: issue.due_date ?? null,
    weight: issue.weight ?? null,
    issue_type: TYPES.includes(issue.issue_type ?? '') ? issue.issue_type : 'issue',
    time_estimate: time_stats?.time_estimate ?? 0,
    total_time_spent: time_stats?.total_time_spent ?? 0,
    created_at,
    updated_at,
    closed_at: closed_at ?? null,
    closed_by: closed_by && people.has(closed_by.username) ? closed_by.username : null,
  }
}
