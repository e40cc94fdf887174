import type { SearchCounts } from '../../../coordinator/planning/search/schema.js'
import { useRead, useReadList } from '../../api/use-read.js'
import { countsPath, FILE_SCOPES, type Scope, searchPath, type SearchOwner } from './scopes.js'

/** More than this is shown as `1000+`. */
const MAX_COUNTED = 1000

/** A number of results. `isMore`: there are more. */
export interface ResultCount {
  count: number
  isMore: boolean
}

/**
 * The numbers of results of each kind. Files and commits of a project are counted as far as their first page; in a group
 * and the instance, they are not, because that takes seconds.
 * @param text undefined counts nothing yet
 * @param isShown what the reader wants to see is there, so that these searches do not delay it
 */
export function useCounts(
  owner: SearchOwner,
  text: string | undefined,
  isShown: boolean,
): Readonly<Partial<Record<Scope, ResultCount>>> {
  const path = text === undefined ? undefined : countsPath(owner, text)
  const counts = useRead<SearchCounts>(path).data ?? {}
  const hasFiles = text !== undefined && isShown && owner.kind === 'project'
  const useFirstPage = (scope: Scope): [Scope, ResultCount][] => {
    const { rows, hasMore, result } = useReadList<object>(
      hasFiles ? searchPath(owner, scope, text, '') : undefined,
    )
    return result.isSuccess ? [[scope, { count: rows.length, isMore: hasMore }]] : []
  }
  return Object.fromEntries([
    ...Object.entries(counts).map(([scope, count]) => [
      scope,
      { count: Math.min(count, MAX_COUNTED), isMore: count > MAX_COUNTED },
    ]),
    ...FILE_SCOPES.flatMap(useFirstPage),
  ])
}
