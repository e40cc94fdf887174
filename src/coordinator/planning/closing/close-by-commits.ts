import { ZERO_ID } from '../../../git/names.js'
import type { Project, User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import type { Transaction } from '../../database/transaction.js'
import { listCommits } from '../../hosting/repositories/browse/commit-log.js'
import type { Repositories } from '../../hosting/repositories/repositories.js'
import { addReferenceNotes, type NamingText } from '../system-notes/reference-notes.js'
import { closeIssues, issuesClosedBy, issuesMentionedBy } from './closing-issues.js'

/** Number of commits of a push whose messages are read; the newest ones are. */
const MAX_COMMITS = 100

/** A branch that a user has moved. */
export interface MovedBranch {
  project: Project
  user: User
  /** Full name. */
  ref: string
  before: string
  after: string
}

export interface CloseDeps {
  database: Database
  repositories: Pick<Repositories, 'reading' | 'commitOf'>
  /** Public address without a trailing slash. */
  externalUrl: string
}

/**
 * Reads which issues the new commits of a default branch close (API, A16) and name. The result closes them and adds
 * notes, in the transaction that completes the push; undefined if there are none.
 */
export async function prepareClosing(
  deps: CloseDeps,
  { project, user, ref, before, after }: MovedBranch,
): Promise<((tx: Transaction) => Promise<void>) | undefined> {
  if (project.default_branch === null || ref !== `refs/heads/${project.default_branch}`) return undefined
  if (after === ZERO_ID) return undefined
  const commits = await newCommits(deps, project, before, after)
  const by = { project, user }
  const closed = await issuesClosedBy(
    deps,
    by,
    commits.map(({ message }) => message),
  )
  const mentions: { id: string; issues: number[] }[] = []
  for (const { id, message } of commits.toReversed()) {
    const issues = await issuesMentionedBy(deps, by, [message])
    if (issues.length > 0) mentions.push({ id, issues })
  }
  if (closed.length === 0 && mentions.length === 0) return undefined
  return async (tx) => {
    for (const { id, issues } of mentions) await noteMentions(tx, { project, user }, id, issues)
    await closeIssues(tx, user, closed)
  }
}

/** Length of commit IDs in texts. */
const SHORT_ID = 8

async function noteMentions(
  tx: Transaction,
  { project, user }: Pick<MovedBranch, 'project' | 'user'>,
  sha: string,
  issues: readonly number[],
): Promise<void> {
  const rows = await tx
    .selectFrom('issue')
    .select(['id', 'project_id'])
    .where('id', 'in', issues)
    .orderBy('id')
    .execute()
  const naming: NamingText = {
    project,
    featureLevel: project.repository_access_level,
    isHidden: false,
    kind: 'commit',
    reference: sha.slice(0, SHORT_ID),
    namedBy: { named_by_project_id: project.id },
  }
  const named = rows.map((row) => ({ table: 'issue' as const, ...row }))
  await addReferenceNotes(tx, naming, user.id, named)
}

/** The commits that a push adds, the newest first; a fork gets commits of the project that it was forked from, which do not count. */
async function newCommits(
  { repositories }: CloseDeps,
  project: Project,
  before: string,
  after: string,
): Promise<{ id: string; message: string }[]> {
  const isBegun = before !== ZERO_ID
  // A commit that a forced push has removed may be deleted already.
  if (isBegun && (await repositories.commitOf(project.id, before)) === undefined) return []
  const reading = repositories.reading(project.id, new AbortController().signal)
  const range = { include: [after], exclude: isBegun ? [before] : [] }
  const commits = await listCommits(reading, range, {}, { offset: 0, limit: MAX_COMMITS })
  const upstream = project.forked_from_id
  const added: { id: string; message: string }[] = []
  for (const { id, message } of commits) {
    const isOld = upstream !== null && (await repositories.commitOf(upstream, id)) !== undefined
    if (!isOld) added.push({ id, message })
  }
  return added
}
