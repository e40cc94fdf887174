import { useReadList } from '../../api/use-read.js'
import { type CountedScope, countPath, type SearchOwner } from './scopes.js'

/**
 * The numbers of results of some kinds.
 * @param text undefined counts nothing yet
 */
export function useCounts(
  owner: SearchOwner,
  text: string | undefined,
): Readonly<Partial<Record<string, number | undefined>>> {
  const useTotal = (scope: CountedScope) =>
    useReadList<object>(text === undefined ? undefined : countPath(owner, scope, text)).total
  return {
    projects: useTotal('projects'),
    issues: useTotal('issues'),
    merge_requests: useTotal('merge_requests'),
  }
}
