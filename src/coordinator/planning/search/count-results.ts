import type { Page } from '../../http/page.js'
import type { SearchCounts } from './schema.js'
import type { FoundInRepositories } from './search-repositories.js'

/** Kinds of records of the database. */
const COUNTED = ['issues', 'merge_requests', 'milestones', 'snippet_titles', 'users'] as const
export const COUNTED_EVERYWHERE = ['projects', ...COUNTED] as const
export const COUNTED_IN_PROJECT = [...COUNTED, 'notes'] as const
/** Kinds in repositories. To count them takes as long as to find them, so they are counted less far, and on request. */
export const COUNTED_FILES = ['blobs', 'commits', 'wiki_blobs'] as const

/** Counts that a user may ask for in a minute: some are as costly as a search, which has a limit of its own. */
export const COUNTS_PER_MINUTE = 60

/** What a count of 1,001 means: more than 1,000. */
const MAX_SHOWN = 1000

/** A page with one row: `total` of a page is for all of them. */
export const FIRST_ROW = { page: 1, perPage: 1, offset: 0 }

/** As far as results in repositories are counted. */
const MAX_FILES = 100
export const FIRST_FILES = { page: 1, perPage: MAX_FILES + 1, offset: 0 }

/** The numbers of results in the repositories of a project, one kind after the other. */
export async function countFiles(
  search: (scope: (typeof COUNTED_FILES)[number]) => Promise<Page>,
): Promise<SearchCounts> {
  const counts: SearchCounts = {}
  for (const scope of COUNTED_FILES) counts[scope] = (await search(scope)).rows.length
  return counts
}

/** Milliseconds in which the results in several repositories are counted, of all kinds together. */
const MAX_MILLISECONDS = 1500

/**
 * The numbers of results in the repositories of several projects, as far as a short time allows: searching all of them may
 * take seconds, for numbers that nobody has asked for.
 */
export async function countFilesSoon(
  search: (scope: (typeof COUNTED_FILES)[number], milliseconds: number) => Promise<FoundInRepositories>,
): Promise<SearchCounts> {
  const counts: SearchCounts = {}
  const incomplete: NonNullable<SearchCounts['incomplete']> = []
  const until = performance.now() + MAX_MILLISECONDS
  for (const [index, scope] of COUNTED_FILES.entries()) {
    // What one kind leaves of its time is for the others.
    const share = Math.max(0, until - performance.now()) / (COUNTED_FILES.length - index)
    const { rows, isComplete } = await search(scope, Math.round(share))
    counts[scope] = rows.length
    if (!isComplete) incomplete.push(scope)
  }
  return { ...counts, incomplete }
}

/** The numbers of results of each kind, one kind after the other. */
export async function countResults<Scope extends Exclude<keyof SearchCounts, 'incomplete'>>(
  scopes: readonly Scope[],
  search: (scope: Scope) => Promise<Page>,
): Promise<SearchCounts> {
  const counts: SearchCounts = {}
  for (const scope of scopes) {
    const { total = MAX_SHOWN + 1 } = await search(scope)
    counts[scope] = Math.min(total, MAX_SHOWN + 1)
  }
  return counts
}
