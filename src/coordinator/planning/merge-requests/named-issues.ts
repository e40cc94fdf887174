import type { Project, User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import type { Transaction } from '../../database/transaction.js'
import { listCommits } from '../../hosting/repositories/browse/commit-log.js'
import type { Repositories } from '../../hosting/repositories/repositories.js'
import { issuesClosedBy, issuesMentionedBy } from '../closing/closing-issues.js'
import { type NamedIssue, setIssuesOfMergeRequest } from '../stores/merge-request-issue-store.js'
import { lockMergeRequest, type MergeRequestRow, type VersionRow } from '../stores/merge-request-store.js'
import { addReferenceNotes, mergeRequestPlace } from '../system-notes/reference-notes.js'

/** Number of commits of a merge request whose messages are read; the newest ones are. */
const MAX_COMMITS = 100

export interface NamingDeps {
  database: Database
  repositories: Pick<Repositories, 'reading'>
  /** Public address without a trailing slash. */
  externalUrl: string
}

/**
 * The issues that the description and the commits of a merge request name, as far as its author sees them. It closes
 * them only in the default branch.
 */
export async function namedIssues(
  deps: NamingDeps,
  { project, author }: { project: Project; author: User },
  row: MergeRequestRow,
  version: VersionRow,
  signal: AbortSignal,
): Promise<NamedIssue[]> {
  const reading = deps.repositories.reading(project.id, signal)
  const range = { include: [version.head_sha], exclude: [version.start_sha] }
  const commits = await listCommits(reading, range, {}, { offset: 0, limit: MAX_COMMITS })
  const texts = [row.title, row.description ?? '', ...commits.map(({ message }) => message)]
  const by = { project, user: author }
  const closed =
    row.target_branch === project.default_branch ? await issuesClosedBy(deps, by, texts, 'seen') : []
  const mentioned = await issuesMentionedBy(deps, by, texts)
  const ids = [...new Set([...closed, ...mentioned])].toSorted((one, other) => one - other)
  return ids.map((id) => ({ id, closes: closed.includes(id) }))
}

/** Stores the issues, and adds a note to those that were not named before. */
export async function recordNamedIssues(
  tx: Transaction,
  project: Project,
  { id, iid, author_id }: MergeRequestRow,
  issues: readonly NamedIssue[],
): Promise<void> {
  if (!(await lockMergeRequest(tx, id))) return
  const added = await setIssuesOfMergeRequest(tx, id, issues)
  if (added.length === 0) return
  const rows = await tx.selectFrom('issue').select(['id', 'project_id']).where('id', 'in', added).execute()
  const named = rows.map((row) => ({ table: 'issue' as const, ...row }))
  await addReferenceNotes(tx, mergeRequestPlace(project, { id, iid }), author_id, named)
}
