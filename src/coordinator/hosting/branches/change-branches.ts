import type { IncomingHttpHeaders } from 'node:http'

import { isRefName, ZERO_ID } from '../../../git/names.js'
import type { Project } from '../../access/caller.js'
import { ApiError, checkUnmodified, forbidden, notFound } from '../../http/errors.js'
import { commitById } from '../repositories/browse/commit-log.js'
import type { Reading } from '../repositories/browse/reading.js'
import { allMergedBranches } from '../repositories/browse/ref-lists.js'
import { changeRefs, type RefChanger } from '../repositories/change/change-refs.js'
import { RefsMovedError, RefsRefusedError } from '../repositories/change/errors.js'
import { problemOfNewRef } from '../repositories/new-ref-problem.js'
import type { PushDeps } from '../repositories/push/handle-push.js'
import { rulesOf } from '../repositories/push/push-rules.js'
import { commitOfRef } from '../repositories/revisions.js'
import { listProtectedRefs } from '../repositories/store.js'
import type { NewBranch } from './schema.js'

/** Id of the branch's commit. Throws 400 for what cannot be a branch's name and 404 for one that is not there. */
export async function theBranch(
  { repositories }: PushDeps,
  project: Project,
  branch: string,
): Promise<string> {
  if (!isRefName(branch)) throw new ApiError(400, { message: 'The branch refname is invalid' })
  const sha = await commitOfRef(repositories, project, 'branch', branch)
  if (sha === undefined) throw notFound('Branch')
  return sha
}

/** Throws 400 where there is nothing to start from or something in the way, 403 where the rules are against it. */
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
    if (error instanceof RefsRefusedError) throw forbidden(error.message)
    if (!(error instanceof RefsMovedError)) throw error
    const isThere = await commitOfRef(deps.repositories, project, 'branch', branch)
    throw refused(isThere ? 'Branch already exists' : 'Branch name is invalid')
  }
}

/**
 * Throws 404 for a branch that is not there, 405 for one that must stay and 412 for one that has moved since the caller
 * looked (API, A9, E1).
 */
export async function deleteBranch(
  deps: PushDeps,
  changer: RefChanger,
  { reading, headers }: { reading: Reading; headers: IncomingHttpHeaders },
  branch: string,
): Promise<void> {
  const { project } = changer
  const before = await theBranch(deps, project, branch)
  const { committedDate } = await commitById(reading, before)
  checkUnmodified(headers, Date.parse(committedDate))
  if (branch === project.default_branch) throw notAllowed('Cannot remove HEAD branch')
  try {
    await changeRefs(deps, changer, [{ ref: `refs/heads/${branch}`, before, after: ZERO_ID }])
  } catch (error) {
    if (error instanceof RefsRefusedError) throw notAllowed('Protected branch cant be removed')
    if (!(error instanceof RefsMovedError)) throw error
    // Deleted, or pushed to, by somebody else just now.
    await theBranch(deps, project, branch)
    throw new ApiError(412, { message: '412 Precondition Failed' })
  }
}

/** Deletes the branches whose commits are all in the default branch, but for the protected ones and the default branch. */
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

/** One by one: what somebody has pushed to meanwhile stays, and keeps nothing else. */
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

function refused(message: string): ApiError {
  return new ApiError(400, { message })
}

function notAllowed(message: string): ApiError {
  return new ApiError(405, { message })
}
