import type { Project } from '../../../access/caller.js'
import type { Database } from '../../../database/connect.js'
import type { Signature } from '../../../hosting/repositories/change/write-commit.js'
import type { MergeRequestRow } from '../../stores/merge-request-store.js'
import { countingApprovals } from '../approval-rules/counting-approvals.js'

/** The people whom commit messages name. */
export interface MessagePeople {
  author: Signature
  reviewers: Signature[]
  approvers: Signature[]
  /** References of the issues that the merge closes. */
  issues: string[]
}

/** The people and issues that the messages of a merge may name. */
export async function messagePeople(
  database: Database,
  project: Project,
  row: MergeRequestRow,
): Promise<MessagePeople> {
  const [author] = await people(database, [row.author_id])
  if (!author) throw new Error(`The author of merge request ${row.id} does not exist`)
  const reviewers = await database
    .selectFrom('merge_request_reviewer')
    .select('user_id')
    .where('merge_request_id', '=', row.id)
    .execute()
  const approvals = await countingApprovals(database, [{ row, project }])
  return {
    author,
    reviewers: await people(database, idsOf(reviewers)),
    approvers: await people(database, idsOf(approvals.get(row.id) ?? [])),
    issues: await issueReferences(database, row),
  }
}

function idsOf(rows: { user_id: number }[]): number[] {
  return rows.map(({ user_id }) => user_id)
}

/** Names, and the addresses that they use in commits; in the order of their IDs. */
function people(database: Database, ids: number[]): Promise<{ name: string; email: string }[]> {
  if (ids.length === 0) return Promise.resolve([])
  return database
    .selectFrom('user')
    .leftJoin('user_profile', 'user_profile.user_id', 'user.id')
    .select(({ fn }) => ['user.name', fn.coalesce('user_profile.commit_email', 'user.email').as('email')])
    .where('user.id', 'in', ids)
    .orderBy('user.id')
    .execute()
}

/** `#3` for an issue of the project, `group/project#3` for another one. */
async function issueReferences(database: Database, { id, project_id }: MergeRequestRow): Promise<string[]> {
  const issues = await database
    .selectFrom('merge_request_issue as closed')
    .innerJoin('issue', 'issue.id', 'closed.issue_id')
    .innerJoin('project', 'project.id', 'issue.project_id')
    .select(['issue.iid', 'issue.project_id', 'project.full_path'])
    .where('closed.merge_request_id', '=', id)
    .where('closed.closes', '=', true)
    .orderBy('issue.id')
    .execute()
  return issues.map((issue) => `${issue.project_id === project_id ? '' : issue.full_path}#${issue.iid}`)
}
