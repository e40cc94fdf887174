import type { SearchCounts } from '../../../coordinator/planning/search/schema.js'
import { useRead } from '../../api/use-read.js'
import { countsPath, type Scope, type SearchOwner } from './scopes.js'

/** More is shown as `1,000+`, and `100+`. */
const MAX_RECORDS = 1000
const MAX_FILES = 100

/** A number of results. `isMore`: there are more. */
interface ResultCount {
  count: number
  isMore: boolean
}

/**
 * The numbers of results of each kind, as far as they are known. Files and commits of a group and the instance are counted for
 * a short time.
 * @param text undefined counts nothing yet
 * @param isShown what the reader wants to see is there, so that these searches do not delay it
 */
export function useCounts(
  owner: SearchOwner,
  text: string | undefined,
  isShown: boolean,
): Readonly<Partial<Record<Scope, ResultCount>>> {
  const counts = useRead<SearchCounts>(text === undefined ? undefined : countsPath(owner, text)).data
  const path = text !== undefined && isShown ? countsPath(owner, text, true) : undefined
  const files = useRead<SearchCounts>(path).data
  return { ...upTo(MAX_RECORDS, counts), ...upTo(MAX_FILES, files) }
}

function upTo(
  max: number,
  { incomplete = [], ...counts }: SearchCounts = {},
): Partial<Record<Scope, ResultCount>> {
  const unsure = new Set<string>(incomplete)
  const known = Object.entries(counts).filter(([scope, count]) => count > 0 || !unsure.has(scope))
  return Object.fromEntries(
    known.map(([scope, count]) => [
      scope,
      { count: Math.min(count, max), isMore: count > max || unsure.has(scope) },
    ]),
  )
}
