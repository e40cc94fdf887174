import type { Project } from '../../access/caller.js'
import type { Paging } from '../../http/page.js'
import { type Contributor, contributorsOf } from '../repositories/browse/contributors.js'
import { hasRefs, type Reading } from '../repositories/browse/reading.js'
import type { PushDeps } from '../repositories/push/handle-push.js'
import { defaultRevision, requireCommit } from '../repositories/revisions.js'
import type { ListContributors } from './schema.js'

/** One page of the authors of the history of a ref; empty for an empty repository. */
export async function listContributors(
  { repositories }: PushDeps,
  project: Project,
  reading: Reading,
  { ref, order_by = 'commits', sort = 'asc' }: ListContributors,
  { offset, perPage }: Paging,
): Promise<{ rows: object[]; total: number }> {
  if (!ref && !(await hasRefs(reading))) return { rows: [], total: 0 }
  const sha = await requireCommit(repositories, project, ref || defaultRevision(project))
  const people = (await contributorsOf(reading, sha)).sort(comparison(order_by))
  if (sort === 'desc') people.reverse()
  const rows = people.slice(offset, offset + perPage)
  return { rows: rows.map((person) => ({ ...person, additions: 0, deletions: 0 })), total: people.length }
}

function comparison(by: keyof Contributor): (one: Contributor, other: Contributor) => number {
  if (by === 'commits') return (one, other) => one.commits - other.commits
  return (one, other) => (one[by] < other[by] ? -1 : Number(one[by] > other[by]))
}
