import type { Page } from '../../http/page.js'
import type { SearchCounts } from './schema.js'

/** Kinds of records of the database. Files and commits are not counted: that takes as long as to find them. */
const COUNTED = ['issues', 'merge_requests', 'milestones', 'snippet_titles', 'users'] as const
export const COUNTED_EVERYWHERE = ['projects', ...COUNTED] as const
export const COUNTED_IN_PROJECT = [...COUNTED, 'notes'] as const

/** What a count of 1,001 means: more than 1,000. */
const MAX_SHOWN = 1000

/** A page with one row: `total` of a page is for all of them. */
export const FIRST_ROW = { page: 1, perPage: 1, offset: 0 }

/** The numbers of results of each kind, one kind after the other. */
export async function countResults<Scope extends keyof SearchCounts>(
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
