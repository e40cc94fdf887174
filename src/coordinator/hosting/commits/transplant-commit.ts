import { ApiError, apiError, notFound } from '../../http/errors.js'
import { type ApiResponse, respond } from '../../http/operation.js'
import { commitById } from '../repositories/browse/commit-log.js'
import type { Reading } from '../repositories/browse/reading.js'
import type { RefChanger } from '../repositories/change/change-refs.js'
import { transplant } from '../repositories/change/commit-files.js'
import {
  BranchNotFoundError,
  MergeConflictError,
  RefsMovedError,
  RefsRefusedError,
} from '../repositories/change/errors.js'
import type { CommitDeps } from './list-commits.js'

export interface TransplantParams {
  branch: string
  dry_run?: boolean
  message?: string
}

/**
 * Applies the change of a commit to a branch, or reverts it there. Returns the SHA of the new commit, or the
 * response to a dry run. Throws 400 with an `error_code` on conflicts (API, E3).
 */
export async function transplantCommit(
  { pushes }: CommitDeps,
  changer: RefChanger,
  { reading, sha, isRevert }: { reading: Reading; sha: string; isRevert: boolean },
  params: TransplantParams,
): Promise<string | ApiResponse> {
  const { title, message, authorName, authorEmail, authoredDate, parentIds } = await commitById(reading, sha)
  const { user } = changer
  const author = isRevert ? user : { name: authorName, email: authorEmail, date: authoredDate }
  const kept = params.message ?? `${message.trimEnd()}\n\n(cherry picked from commit ${sha})\n`
  const reverting = `Revert "${title}"\n\nThis reverts commit ${sha}\n`
  try {
    const made = await transplant(pushes, changer, reading, {
      sha,
      parent: parentIds[0],
      isRevert,
      branch: params.branch,
      author,
      message: isRevert ? reverting : kept,
      dryRun: params.dry_run ?? false,
    })
    return made ?? respond(200, { dry_run: 'success' })
  } catch (error) {
    throw refusalOf(error, isRevert ? 'revert' : 'cherry-pick')
  }
}

function refusalOf(error: unknown, verb: 'revert' | 'cherry-pick'): unknown {
  if (error instanceof BranchNotFoundError) return notFound('Branch')
  if (error instanceof RefsRefusedError) return apiError('push_forbidden')
  if (error instanceof RefsMovedError) return apiError('change_refused', { reason: error.message })
  if (!(error instanceof MergeConflictError)) return error
  const done = verb === 'revert' ? 'reverted' : 'cherry-picked'
  const { body } = apiError('change_conflicts', { verb, done })
  return new ApiError('change_conflicts', { ...body, error_code: error.problem })
}
