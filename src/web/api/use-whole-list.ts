import { useEffect } from 'preact/hooks'

import { type Failure, failureOf } from './failure.js'
import { type ReadList, useReadList } from './use-read.js'

export interface WholeList<Row> extends ReadList<Row> {
  /** All pages are there, or as many as are read. */
  isWhole: boolean
  /** Why the rest is missing: nothing else is read until it is tried again. */
  failure: Failure | undefined
}

/**
 * Reads a list page by page until its end.
 * @param maxPages pages that are read; `hasMore` says whether there are others
 */
export function useWholeList<Row>(path: string | undefined, maxPages = Infinity): WholeList<Row> {
  const list = useReadList<Row>(path)
  const { next, result } = list
  const isWanted = next !== undefined && (result.data?.pages.length ?? 0) < maxPages
  const isDue = isWanted && !result.isFetching && next.error === null
  useEffect(() => {
    if (isDue) next.read()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `next` is another object in each render
  }, [isDue])
  return {
    ...list,
    isWhole: result.data !== undefined && !isWanted,
    failure: next?.error ? { error: next.error, retry: next.read } : failureOf(result),
  }
}
