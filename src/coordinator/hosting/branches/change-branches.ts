import type { IncomingHttpHeaders } from 'node:http'

import { unlessDamaged } from '../../../git/errors.js'
import { isRefName, ZERO_ID } from '../../../git/names.js'
import type { Project } from '../../access/caller.js'
import { type ApiError, apiError, checkUnmodified, notFound } from '../../http/errors.js'
import { commitById } from '../repositories/browse/commit-log.js'
import type { Reading } from '../repositories/browse/reading.js'
import { allMergedBranches } from '../repositories/browse/ref-lists.js'
import { changeRefs, type RefChanger } from '../repositories/change/change-refs.js'
import { deleteDamagedRef } from '../repositories/change/delete-damaged-ref.js'
import { RefsMovedError, RefsRefusedError } from '../repositories/change/errors.js'
import { problemOfNewRef } from '../repositories/new-ref-problem.js'
import type { PushDeps } from '../repositories/push/handle-push.js'
import { rulesOf } from '../repositories/push/ref-rules.js'
import { commitOfRef } from '../repositories/revisions.js'
import { listProtectedRefs } from '../repositories/store.js'
import type { NewBranch } from './schema.js'

/** SHA of the branch head. Throws 400 for an invalid branch name and 404 for a branch that does not exist. */
export async function requireBranch(
  { repositories }: PushDeps,
  project: Project,
  branch: string,
): Promise<string> {
  if (!isRefName(branch)) throw apiError('branch_name_invalid')
  const sha = await commitOfRef(repositories, project, 'branch', branch)
  if (sha === undefined) throw notFound('Branch')
  return sha
}

/**
 * Throws 400 if the name is invalid or taken or the start revision does not exist, and 403 if a rule forbids
 * the branch.
 */
export async function createBranch(
  deps: PushDeps,
  changer: RefChanger,
  { branch, ref }: NewBranch,
): Promise<void> {
  const { project } = changer
  const problem = problemOfNewRef('branch', branch)
  if (problem !== undefined) throw refused(problem)
  if (await commitOfRef(deps.repositories, project, 'branch', branch)) throw refused('Branch already exists')
  const sha = await deps.repositories.resolveCommit(project.id, ref)
  if (sha === undefined) throw refused(`Invalid reference name: ${ref}`)
  try {
    await changeRefs(deps, changer, [{ ref: `refs/heads/${branch}`, before: ZERO_ID, after: sha }])
  } catch (error) {
    if (error instanceof RefsRefusedError) throw apiError('ref_change_forbidden', { reason: error.message })
    if (!(error instanceof RefsMovedError)) throw error
    const isThere = await commitOfRef(deps.repositories, project, 'branch', branch)
    throw refused(isThere ? 'Branch already exists' : 'Branch name is invalid')
  }
}

/**
 * Throws 404 for a branch that does not exist and 405 for the default or a protected branch. Throws 412 if
 * the branch has moved since the caller read it (API, A9, E1).
 */
export async function deleteBranch(
  deps: PushDeps,
  changer: RefChanger,
  { reading, headers }: { reading: Reading; headers: IncomingHttpHeaders },
  branch: string,
): Promise<void> {
  const { project } = changer
  const head = await unlessDamaged(requireBranch(deps, project, branch))
  const commit = head === undefined ? undefined : await unlessDamaged(commitById(reading, head))
  if (commit) checkUnmodified(headers, Date.parse(commit.committedDate))
  if (branch === project.default_branch) throw notAllowed('Cannot remove HEAD branch')
  const ref = `refs/heads/${branch}`
  try {
    if (commit) await changeRefs(deps, changer, [{ ref, before: commit.id, after: ZERO_ID }])
    else if (!(await deleteDamagedRef(deps, changer, ref))) throw notFound('Branch')
  } catch (error) {
    if (error instanceof RefsRefusedError) throw notAllowed('Protected branch cant be removed')
    if (!(error instanceof RefsMovedError)) throw error
    // Another client has just deleted the branch or pushed to it.
    await requireBranch(deps, project, branch)
    throw apiError('precondition_failed')
  }
}

/**
 * Deletes the branches that are merged into the default branch, except protected branches and the default
 * branch.
 */
export async function deleteMergedBranches(
  deps: PushDeps,
  changer: RefChanger,
  reading: Reading,
): Promise<void> {
  const { project, user } = changer
  const root =
    project.default_branch &&
    (await commitOfRef(deps.repositories, project, 'branch', project.default_branch))
  if (!root) return
  const rules = await listProtectedRefs(deps.database, project.id, user.id)
  const merged = (await allMergedBranches(reading, root)).filter(
    ({ name }) => name !== project.default_branch && rulesOf(rules, 'branch', name).length === 0,
  )
  for (const { name, sha } of merged) await deleteUnlessMoved(deps, changer, name, sha)
}

/** Each branch is deleted on its own: one that has just moved is kept and does not stop the others. */
async function deleteUnlessMoved(
  deps: PushDeps,
  changer: RefChanger,
  name: string,
  before: string,
): Promise<void> {
  try {
    await changeRefs(deps, changer, [{ ref: `refs/heads/${name}`, before, after: ZERO_ID }])
  } catch (error) {
    if (!(error instanceof RefsMovedError)) throw error
  }
}

function refused(reason: string): ApiError {
  return apiError('branch_refused', { reason })
}

function notAllowed(reason: string): ApiError {
  return apiError('branch_not_deletable', { reason })
}
