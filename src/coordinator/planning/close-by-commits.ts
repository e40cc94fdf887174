import { ZERO_ID } from '../../git/names.js'
import type { Project, User } from '../access/caller.js'
import type { Database } from '../database/connect.js'
import type { Transaction } from '../database/transaction.js'
import { listCommits } from '../hosting/repositories/browse/commit-log.js'
import type { Repositories } from '../hosting/repositories/repositories.js'
import { closeIssues, issuesClosedBy } from './closing-issues.js'

/** Number of commits of a push that close issues; the newest ones do. */
const MOST_COMMITS = 100

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
 * Reads which issues the new commits of a default branch close (API, A16). The result closes them, in the transaction
 * that completes the push; undefined if there are none.
 */
export async function prepareClosing(
  deps: CloseDeps,
  { project, user, ref, before, after }: MovedBranch,
): Promise<((tx: Transaction) => Promise<void>) | undefined> {
  if (project.default_branch === null || ref !== `refs/heads/${project.default_branch}`) return undefined
  if (after === ZERO_ID) return undefined
  const messages = await newMessages(deps, project, before, after)
  const ids = await issuesClosedBy(deps, { project, user }, messages)
  return ids.length === 0 ? undefined : (tx) => closeIssues(tx, user, ids)
}

/** Messages of the commits that a push adds; a fork gets commits of the project that it was forked from, which do not count. */
async function newMessages(
  { repositories }: CloseDeps,
  project: Project,
  before: string,
  after: string,
): Promise<string[]> {
  const isBegun = before !== ZERO_ID
  // A commit that a forced push has removed may be deleted already.
  if (isBegun && (await repositories.commitOf(project.id, before)) === undefined) return []
  const reading = repositories.reading(project.id, new AbortController().signal)
  const range = { include: [after], exclude: isBegun ? [before] : [] }
  const commits = await listCommits(reading, range, {}, { offset: 0, limit: MOST_COMMITS })
  const upstream = project.forked_from_id
  const messages: string[] = []
  for (const { id, message } of commits) {
    const isOld = upstream !== null && (await repositories.commitOf(upstream, id)) !== undefined
    if (!isOld) messages.push(message)
  }
  return messages
}
