import type { Database } from '../../database/connect.js'
import type { Repositories } from '../../hosting/repositories/repositories.js'
import { apiError, invalidRecord } from '../../http/errors.js'
import { OPEN_STATES } from '../stores/merge-request-store.js'

/** The two branches of a merge request. */
export interface BranchPair {
  source_project_id: number
  source_branch: string
  /** The target project. */
  project_id: number
  target_branch: string
}

type Reader = Pick<Repositories, 'resolveRef'>

/** Head of the source branch. Throws 400 if it does not exist; null stands for a project that was deleted. */
export async function requireSourceHead(
  repositories: Reader,
  { source_project_id, source_branch }: { source_project_id: number | null; source_branch: string },
): Promise<string> {
  const ref =
    source_project_id === null
      ? undefined
      : await repositories.resolveRef(source_project_id, `refs/heads/${source_branch}`)
  if (!ref) throw invalidRecord({ source_branch: ['does not exist'] })
  return ref.sha
}

/** Head of the target branch. Throws 400 if it does not exist. */
export async function targetHead(
  repositories: Reader,
  { project_id, target_branch }: Pick<BranchPair, 'project_id' | 'target_branch'>,
): Promise<string> {
  const ref = await repositories.resolveRef(project_id, `refs/heads/${target_branch}`)
  if (!ref) throw invalidRecord({ target_branch: ['does not exist'] })
  return ref.sha
}

/**
 * Throws 422 if both branches are the same, and 409 if an open merge request has them; the one with the ID
 * `except` does not count.
 */
export async function checkPair(database: Database, pair: BranchPair, except = 0): Promise<void> {
  if (pair.source_project_id === pair.project_id && pair.source_branch === pair.target_branch)
    throw apiError('branches_are_equal')
  const other = await database
    .selectFrom('merge_request')
    .select('iid')
    .where('source_project_id', '=', pair.source_project_id)
    .where('source_branch', '=', pair.source_branch)
    .where('project_id', '=', pair.project_id)
    .where('target_branch', '=', pair.target_branch)
    .where('state', 'in', OPEN_STATES)
    .where('id', '<>', except)
    .executeTakeFirst()
  if (other) throw apiError('merge_request_exists', { iid: other.iid })
}
