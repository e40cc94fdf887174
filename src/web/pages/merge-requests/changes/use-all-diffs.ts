import { useEffect } from 'preact/hooks'

import { useReadList } from '../../../api/use-read.js'
import type { DiffEntry } from '../../../code/diff-files.js'

/** The changed files of a list, all pages of which are read one after the other. */
export function useAllDiffs(path: string) {
  const { rows, result, hasMore, more } = useReadList<DiffEntry>(`${path}?per_page=100`)
  const pages = result.data?.pages.length ?? 0
  useEffect(() => {
    if (hasMore) more()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `more` is another function in each render, and a page that could not be read is not tried again
  }, [hasMore, pages])
  return { entries: result.data && rows, isWhole: result.data !== undefined && !hasMore, result }
}
