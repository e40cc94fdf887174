import { isTreePath } from '../../../git/names.js'
import { wordsIn } from '../../../lib/words-in.js'
import type { Project } from '../../access/caller.js'
import { invalidParameters, notFound } from '../../http/errors.js'
import type { Paging } from '../../http/page.js'
import { presentCommitRecord } from '../../http/presenters/present-commit.js'
import { statsOf, trailersOf } from '../repositories/browse/commit-facts.js'
import { listCommits, type LogOptions, type Range } from '../repositories/browse/commit-log.js'
import { hasRefs, type Reading } from '../repositories/browse/reading.js'
import type { PushDeps } from '../repositories/push/handle-push.js'
import { defaultRevision, requireCommit } from '../repositories/revisions.js'
import type { ListCommits, ListedCommit } from './schema.js'

export interface CommitDeps {
  pushes: PushDeps
  /** Public address without a trailing slash. */
  externalUrl: string
}

/** Throws 404 for an unknown revision. An empty repository gives an empty list (API, E3). */
export async function commitsOf(
  deps: CommitDeps,
  project: Project,
  reading: Reading,
  params: ListCommits,
  { offset, perPage }: Paging,
): Promise<ListedCommit[]> {
  if (!(await hasRefs(reading))) return []
  const range = params.all ? EVERYTHING : await rangeOf(deps, project, params.ref_name)
  const commits = await listCommits(reading, range, logOptions(params), { offset, limit: perPage })
  const ids = commits.map(({ id }) => id)
  const stats = params.with_stats ? await statsOf(reading, ids) : undefined
  const trailers = params.trailers ? await trailersOf(reading, ids) : undefined
  const projectUrl = `${deps.externalUrl}/${project.full_path}`
  return commits.map((commit) => ({
    ...presentCommitRecord(commit, projectUrl, trailers?.get(commit.id)),
    ...(stats && { stats: stats.get(commit.id) ?? { additions: 0, deletions: 0, total: 0 } }),
  }))
}

const EVERYTHING: Range = { include: [], exclude: [] }

/**
 * Accepts a revision, `a..b` (in b and not in a) or `a...b` (in only one of them). A missing side is the
 * default branch.
 */
async function rangeOf(deps: CommitDeps, project: Project, name: string | undefined): Promise<Range> {
  const named = name || defaultRevision(project)
  const [, from, dots, to] = /^(.*?)(\.{2,3})(.*)$/s.exec(named) ?? []
  if (dots === undefined) return { include: [await commit(named)], exclude: [] }
  const [start, end] = [await commit(from), await commit(to)]
  return dots === '...'
    ? { include: [start, end], exclude: [], isSymmetric: true }
    : { include: [end], exclude: [start] }

  function commit(revision: string | undefined): Promise<string> {
    return requireCommit(deps.pushes.repositories, project, revision || defaultRevision(project), () =>
      notFound('Commit'),
    )
  }
}

/** Path without the trailing slash of a folder. Throws 400 for a path that no repository can contain. */
function treePath(path: string): string {
  const plain = path.replace(/\/+$/, '')
  if (!isTreePath(plain)) throw invalidParameters('path is invalid')
  return plain
}

function logOptions({ since, until, path, author, search, first_parent, order }: ListCommits): LogOptions {
  return {
    path: path ? treePath(path) : undefined,
    since: since ? Math.ceil(Date.parse(since) / 1000) : undefined,
    until: until ? Math.floor(Date.parse(until) / 1000) : undefined,
    author: author ? author : undefined,
    words: search === undefined ? undefined : wordsIn(search),
    isFirstParent: first_parent,
    isTopological: order === 'topo',
  }
}
