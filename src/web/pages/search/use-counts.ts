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
 * The numbers of results of each kind. Files and commits are counted in a project; in a group and the instance, that would take
 * seconds.
 * @param text undefined counts nothing yet
 * @param isShown what the reader wants to see is there, so that these searches do not delay it
 */
export function useCounts(
  owner: SearchOwner,
  text: string | undefined,
  isShown: boolean,
): Readonly<Partial<Record<Scope, ResultCount>>> {
  const counts = useRead<SearchCounts>(text === undefined ? undefined : countsPath(owner, text)).data
  const hasFiles = text !== undefined && isShown && owner.kind === 'project'
  const files = useRead<SearchCounts>(hasFiles ? countsPath(owner, text, true) : undefined).data
  return { ...upTo(MAX_RECORDS, counts), ...upTo(MAX_FILES, files) }
}

function upTo(max: number, counts: SearchCounts = {}): Partial<Record<Scope, ResultCount>> {
  return Object.fromEntries(
    Object.entries(counts).map(([scope, count]) => [
      scope,
      { count: Math.min(count, max), isMore: count > max },
    ]),
  )
}
