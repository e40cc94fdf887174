import { useEffect } from 'preact/hooks'

import { FIRST_FILES } from '../../../../addresses/first-reads.js'
import { useReadList } from '../../../api/use-read.js'
import type { DiffEntry } from '../../../code/diff-files.js'

/** The changed files of a list: those that are in sight first, then all, the pages of which are read one after the other. */
export function useAllDiffs(path: string) {
  const first = useReadList<DiffEntry>(`${path}?per_page=${FIRST_FILES}`)
  const hasOthers = first.result.data !== undefined && first.hasMore
  const all = useReadList<DiffEntry>(hasOthers ? `${path}?per_page=100` : undefined)
  const pages = all.result.data?.pages.length ?? 0
  useEffect(() => {
    if (pages > 0 && all.hasMore) all.more()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `more` is another function in each render, and a page that could not be read is not tried again
  }, [all.hasMore, pages])
  const { rows, result, hasMore } = hasOthers && all.result.data ? all : first
  return { entries: result.data && rows, isWhole: result.data !== undefined && !hasMore, result }
}
