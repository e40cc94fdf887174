import type { IncomingHttpHeaders } from 'node:http'

import { unlessDamaged } from '../../../git/errors.js'
import { isRefName, ZERO_ID } from '../../../git/names.js'
import type { Project } from '../../access/caller.js'
import { type ApiError, apiError, checkUnmodified, notFound } from '../../http/errors.js'
import { commitById } from '../repositories/browse/commit-log.js'
import { objectIdOf, type Reading } from '../repositories/browse/reading.js'
import { changeRefs, checkMayChange, type RefChanger } from '../repositories/change/change-refs.js'
import { deleteDamagedRef } from '../repositories/change/delete-damaged-ref.js'
import { RefsMovedError, RefsRefusedError } from '../repositories/change/errors.js'
import { writeTagObject } from '../repositories/change/write-tag-object.js'
import { problemOfNewRef } from '../repositories/new-ref-problem.js'
import type { PushDeps } from '../repositories/push/handle-push.js'
import { isAllowed, rulesOf } from '../repositories/push/ref-rules.js'
import { commitOfRef } from '../repositories/revisions.js'
import { listProtectedRefs } from '../repositories/store.js'
import type { TagDeps } from './describe-tags.js'
import { createTagRelease, deleteTagRelease, editTagRelease } from './release-of-tag.js'
import type { NewTag, ReleaseNotes } from './schema.js'

/** Throws 404. */
export async function requireTag(
  { repositories }: PushDeps,
  project: Project,
  name: string,
): Promise<string> {
  const sha = await commitOfRef(repositories, project, 'tag', name)
  if (sha === undefined) throw notFound('Tag')
  return sha
}

/**
 * Creates a tag. Throws 405 with the reason if it cannot be created, and 403 if the rules of protected tags
 * forbid it (API, E6).
 */
export async function createTag(
  { pushes: deps, externalUrl }: TagDeps,
  changer: RefChanger,
  params: NewTag,
): Promise<void> {
  const { project, user } = changer
  const { tag_name: name, message, release_description: description } = params
  const problem = problemOfNewRef('tag', name)
  if (problem !== undefined) throw refused(problem)
  if (await commitOfRef(deps.repositories, project, 'tag', name)) throw exists(name)
  const sha = await deps.repositories.resolveCommit(project.id, params.ref)
  if (sha === undefined) throw refused(`Target ${params.ref} is invalid`)
  await writeTag(deps, changer, { name, sha, message })
  if (description) {
    const release = { projectId: project.id, authorId: user.id, tag: name, sha, description }
    await createTagRelease(deps.database, release, externalUrl)
  }
}

async function writeTag(
  deps: PushDeps,
  changer: RefChanger,
  { name, sha, message }: { name: string; sha: string; message: string | undefined },
): Promise<void> {
  const { project, user } = changer
  const ref = `refs/tags/${name}`
  try {
    await checkMayChange(deps, changer, [{ ref, before: ZERO_ID, after: sha }])
    const after = message ? await writeTagObject(deps, changer, { name, sha, message, tagger: user }) : sha
    await changeRefs(deps, changer, [{ ref, before: ZERO_ID, after }])
  } catch (error) {
    if (error instanceof RefsRefusedError) throw apiError('ref_change_forbidden', { reason: error.message })
    if (!(error instanceof RefsMovedError)) throw error
    throw (await commitOfRef(deps.repositories, project, 'tag', name))
      ? exists(name)
      : refused('Tag name invalid')
  }
}

/**
 * Deletes a tag and its release. Throws 404 for an unknown tag and 403 for a protected one. Throws 412 for a
 * tag that is newer than the version the caller has read (API, A9, E6).
 */
export async function deleteTag(
  deps: PushDeps,
  changer: RefChanger,
  { reading, headers }: { reading: Reading; headers: IncomingHttpHeaders },
  name: string,
): Promise<void> {
  const { project } = changer
  const ref = `refs/tags/${name}`
  if (!isRefName(name)) throw notFound('Tag')
  const before = await objectIdOf(reading, ref)
  const sha = await unlessDamaged(requireTag(deps, project, name))
  const commit = sha === undefined ? undefined : await unlessDamaged(commitById(reading, sha))
  if (commit) checkUnmodified(headers, Date.parse(commit.committedDate))
  try {
    if (before !== undefined) await changeRefs(deps, changer, [{ ref, before, after: ZERO_ID }])
    else if (!(await deleteDamagedRef(deps, changer, ref))) throw notFound('Tag')
  } catch (error) {
    if (error instanceof RefsRefusedError) throw apiError('ref_change_forbidden', { reason: error.message })
    if (!(error instanceof RefsMovedError)) throw error
    await requireTag(deps, project, name)
    throw apiError('precondition_failed')
  }
  await deleteTagRelease(deps.database, project.id, name)
}

/**
 * Creates a release of a tag. Throws 404 for an unknown tag, 409 if it has a release and 403 for a protected
 * tag.
 */
export async function releaseTag(
  { pushes: deps, externalUrl }: TagDeps,
  changer: RefChanger,
  { tag_name: tag, description }: ReleaseNotes,
): Promise<void> {
  const { project, user } = changer
  await checkMayRelease(deps, changer, tag)
  const sha = await commitOfRef(deps.repositories, project, 'tag', tag)
  if (sha === undefined) throw apiError('tag_missing')
  const values = { projectId: project.id, authorId: user.id, tag, sha, description }
  if (!(await createTagRelease(deps.database, values, externalUrl))) throw apiError('release_exists')
}

/**
 * Changes the notes of a release. Throws 404 for a tag that is unknown or has no release, and 403 for a
 * protected one.
 */
export async function changeReleaseNotes(
  deps: PushDeps,
  changer: RefChanger,
  { tag_name: tag, description }: ReleaseNotes,
): Promise<void> {
  const { project } = changer
  await checkMayRelease(deps, changer, tag)
  if (!(await commitOfRef(deps.repositories, project, 'tag', tag))) {
    throw apiError('tag_missing')
  }
  if (!(await editTagRelease(deps.database, { projectId: project.id, tag, description }))) {
    throw apiError('release_missing')
  }
}

async function checkMayRelease(
  { database }: PushDeps,
  { project, user, accessLevel }: RefChanger,
  tag: string,
): Promise<void> {
  const rules = rulesOf(await listProtectedRefs(database, project.id, user.id), 'tag', tag)
  if (rules.length > 0 && !isAllowed(rules, accessLevel)) {
    throw apiError('tag_protected', { tag })
  }
}

function exists(name: string): ApiError {
  return refused(`Tag ${name} already exists`)
}

function refused(reason: string): ApiError {
  return apiError('tag_refused', { reason })
}
