import { join } from 'node:path'

import type { Caller, Project, User } from '../../access/caller.js'
import { isWithinLimit } from '../../access/project-limit.js'
import { apiError, notFound } from '../../http/errors.js'
import { presentCommitRecord } from '../../http/presenters/present-commit.js'
import { commonAncestor, listCommits } from '../repositories/browse/commit-log.js'
import { presentDiffs } from '../repositories/browse/diff-record.js'
import { diffOf } from '../repositories/browse/diffs.js'
import type { Reading } from '../repositories/browse/reading.js'
import { isRelated } from '../repositories/is-related.js'
import type { PushDeps } from '../repositories/push/handle-push.js'
import { requireCommit } from '../repositories/revisions.js'
import type { Comparison, GetCompare } from './schema.js'

const MAX_COMMITS = 1000

export interface CompareDeps {
  pushes: PushDeps
  externalUrl: string
  /** Finds a project by ID or path, if the user may read its code. */
  readableProject: (user: User, idOrPath: string) => Promise<Project | undefined>
}

/**
 * Throws 404 for an unknown ref or a hidden project, and 400 for a project that is neither a fork nor the
 * source.
 */
export async function compare(
  { pushes, externalUrl, readableProject }: CompareDeps,
  {
    project,
    caller,
    user,
    reading: own,
  }: { project: Project; caller: Caller; user: User | undefined; reading: Reading },
  { from, to, straight, from_project_id: other, unidiff }: GetCompare,
): Promise<Comparison> {
  const fromProject =
    other === undefined || other === project.id
      ? project
      : user && (await readableProject(user, String(other)))
  if (!fromProject || !isWithinLimit(caller, fromProject)) throw notFound('Project')
  if (!isRelated(fromProject, project)) throw apiError('compared_project_unrelated')
  const reading = fromProject === project ? own : withObjectsOf(own, pushes.repositories.path(fromProject.id))
  const start = await requireCommit(pushes.repositories, fromProject, from, () => notFound('Ref'))
  const end = await requireCommit(pushes.repositories, project, to, () => notFound('Ref'))
  const newestFirst = await listCommits(
    reading,
    { include: [end], exclude: [start] },
    {},
    { offset: 0, limit: MAX_COMMITS },
  )
  const base = straight ? start : await commonAncestor(reading, [start, end])
  const { files, isCut } = await diffOf(reading, { from: base, to: end, isUnified: unidiff ?? false })
  const projectUrl = `${externalUrl}/${project.full_path}`
  const commits = newestFirst.reverse().map((commit) => presentCommitRecord(commit, projectUrl))
  return {
    commit: commits.at(-1) ?? null,
    commits,
    diffs: await presentDiffs(reading, end, files),
    compare_timeout: isCut,
    compare_same_ref: fromProject === project && from === to,
    web_url: `${projectUrl}/-/compare/${start}${straight ? '..' : '...'}${end}`,
  }
}

/** Lets git read the objects of the other repository too, without copying them. */
function withObjectsOf(reading: Reading, gitDir: string): Reading {
  const environment = { ...reading.environment, GIT_ALTERNATE_OBJECT_DIRECTORIES: join(gitDir, 'objects') }
  return { ...reading, environment }
}

/**
 * Best common ancestor of all refs. Throws 400 for fewer than two refs and for unknown refs, and 404 if there
 * is no common ancestor.
 */
export async function mergeBaseOf(
  { repositories }: PushDeps,
  project: Project,
  reading: Reading,
  refs: string[],
): Promise<string> {
  if (refs.length < 2) throw apiError('too_few_refs')
  const ids = await Promise.all(refs.map((ref) => repositories.resolveCommit(project.id, ref)))
  const unknown = refs.filter((_ref, index) => ids[index] === undefined)
  if (unknown.length > 0) {
    const refs = `ref${unknown.length > 1 ? 's' : ''}: ${unknown.join(', ')}`
    throw apiError('refs_not_found', { refs })
  }
  const base = await commonAncestor(
    reading,
    ids.filter((id) => id !== undefined),
  )
  if (base === undefined) throw notFound('Merge Base')
  return base
}
