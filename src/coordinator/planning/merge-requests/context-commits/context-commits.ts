import type { User } from '../../../access/caller.js'
import type { Database } from '../../../database/connect.js'
import { inTransaction, type Transaction } from '../../../database/transaction.js'
import { commitById } from '../../../hosting/repositories/browse/commit-log.js'
import type { Reading } from '../../../hosting/repositories/browse/reading.js'
import type { Repositories } from '../../../hosting/repositories/repositories.js'
import { apiError, forbidden, invalidParameters, notFound } from '../../../http/errors.js'
import { type CommitBrief, presentCommit } from '../../../http/presenters/present-commit.js'
import type { CallerInProject } from '../../access/issue-access.js'
import { lockTheMergeRequest, mayEdit } from '../../access/merge-request-access.js'
import { MAX_CONTEXT_COMMITS } from './schema.js'
import { contextCommitsOf, deleteContextCommits, insertContextCommits } from './store.js'

export interface ContextCommitDeps {
  database: Database
  repositories: Pick<Repositories, 'commitOf' | 'reading'>
  /** Public address without a trailing slash. */
  externalUrl: string
}

type SignedIn = CallerInProject & { user: User }

/** Records of commits, in their order; without those that the repository does not have any more. */
export async function presentContextCommits(
  { repositories, externalUrl }: ContextCommitDeps,
  { project }: Pick<CallerInProject, 'project'>,
  reading: Reading,
  shas: readonly string[],
): Promise<CommitBrief[]> {
  const commits: CommitBrief[] = []
  for (const sha of shas) {
    if ((await repositories.commitOf(project.id, sha)) !== sha) continue
    commits.push(presentCommit(await commitById(reading, sha), `${externalUrl}/${project.full_path}`))
  }
  return commits
}

/**
 * Adds commits of the project to a merge request. Throws 403 if the caller may not change the merge request, and 400 for
 * commits that the project has not, that are there already, and that are too many.
 */
export async function addContextCommits(
  { database, repositories }: ContextCommitDeps,
  caller: SignedIn,
  iid: number,
  commits: readonly string[],
): Promise<string[]> {
  const shas = [...new Set(commits)]
  for (const sha of shas) {
    if ((await repositories.commitOf(caller.project.id, sha)) !== sha) {
      throw invalidParameters(`commits: the project has no commit ${sha}`)
    }
  }
  await inTransaction(database, async (tx) => {
    const { id, known } = await lockContextCommits(tx, caller, iid)
    const twice = shas.filter((sha) => known.includes(sha))
    if (twice.length > 0) throw apiError('context_commits_exist', { commits: twice.join(', ') })
    if (known.length + shas.length > MAX_CONTEXT_COMMITS) {
      throw apiError('too_many_context_commits', { max: MAX_CONTEXT_COMMITS })
    }
    await insertContextCommits(tx, id, shas)
  })
  return shas
}

/** Throws 403 if the caller may not change the merge request, and 404 for a commit that is not one of its context. */
export function removeContextCommits(
  database: Database,
  caller: SignedIn,
  iid: number,
  commits: readonly string[],
): Promise<void> {
  return inTransaction(database, async (tx) => {
    const { id, known } = await lockContextCommits(tx, caller, iid)
    if (!commits.every((sha) => known.includes(sha))) throw notFound('Context commit')
    await deleteContextCommits(tx, id, commits)
  })
}

async function lockContextCommits(
  tx: Transaction,
  caller: SignedIn,
  iid: number,
): Promise<{ id: number; known: string[] }> {
  const row = await lockTheMergeRequest(tx, caller, iid)
  if (!(await mayEdit(tx, caller, row))) throw forbidden()
  return { id: row.id, known: await contextCommitsOf(tx, row.id) }
}
