import { FIRST_FILES } from '../../../../addresses/first-reads.js'
import type { Failure } from '../../../api/failure.js'
import { useReadList } from '../../../api/use-read.js'
import { useWholeList } from '../../../api/use-whole-list.js'
import type { DiffEntry } from '../../../code/diff-files.js'

/** The changed files that are not there yet; `failure`: they are not being read. */
export interface OtherFiles {
  failure: Failure | undefined
}

/** The changed files of a list: those that are in sight first, then all, the pages of which are read one after the other. */
export function useAllDiffs(path: string) {
  const first = useReadList<DiffEntry>(`${path}?per_page=${FIRST_FILES}`)
  const all = useWholeList<DiffEntry>(first.hasMore ? `${path}?per_page=100` : undefined)
  const others: OtherFiles | undefined = first.hasMore && !all.isWhole ? all : undefined
  const { rows } = first.hasMore && all.result.data ? all : first
  const { result } = first
  return { entries: result.data && rows, others, result }
}
