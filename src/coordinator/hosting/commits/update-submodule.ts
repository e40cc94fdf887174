import { type ApiError, apiError } from '../../http/errors.js'
import type { Reading } from '../repositories/browse/reading.js'
import { findEntry } from '../repositories/browse/tree-entries.js'
import type { RefChanger } from '../repositories/change/change-refs.js'
import { commitFiles } from '../repositories/change/commit-files.js'
import { FileChangeError, RefsMovedError, RefsRefusedError } from '../repositories/change/errors.js'
import { commitOfRef } from '../repositories/revisions.js'
import type { CommitDeps } from './list-commits.js'
import type { UpdateSubmodule } from './schema.js'

/**
 * Commits another commit of a submodule to a branch, and returns the SHA of the new commit. Throws 400 if there is no such
 * branch or submodule, if the submodule is there already, and if the rules of the branch forbid the push (API, E3).
 */
export async function updateSubmodule(
  { pushes }: CommitDeps,
  changer: RefChanger,
  reading: Reading,
  { submodule: path, branch, commit_sha, commit_message: message }: UpdateSubmodule,
): Promise<string> {
  const sha = commit_sha.toLowerCase()
  const tip = await commitOfRef(pushes.repositories, changer.project, 'branch', branch)
  if (tip === undefined) throw refused('You can only create or edit files when you are on a branch')
  const before = await findEntry(reading, tip, path)
  if (before?.type === 'commit' && before.id === sha) {
    throw refused(`The submodule ${path} is already at ${sha}`)
  }
  const { name, email } = changer.user
  try {
    return await commitFiles(pushes, changer, reading, {
      branch,
      message: message || `Update submodule ${path} with oid ${sha}`,
      author: { name, email },
      actions: [{ action: 'submodule', path, sha }],
      lastCommits: [],
    })
  } catch (error) {
    if (error instanceof RefsRefusedError)
      throw refused('You are not allowed to push into this branch', error)
    if (error instanceof FileChangeError || error instanceof RefsMovedError)
      throw refused(error.message, error)
    throw error
  }
}

function refused(reason: string, cause?: Error): ApiError {
  return apiError('change_refused', { reason }, { cause })
}
