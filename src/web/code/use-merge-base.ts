import { projectApi } from '../../addresses/first-reads.js'
import { useRead } from '../api/use-read.js'
import type { DiffEntry } from './diff-files.js'

/** The commit from which a branch has changed, for files whose content before the change is shown; undefined until it is read. */
export function useMergeBase(
  project: string,
  { from, to }: { from: string; to: string },
  entries: readonly DiffEntry[],
): string | undefined {
  const isNeeded = entries.some(({ diff, new_file }) => diff === '' && !new_file)
  const refs = [from, to].map((ref) => `refs[]=${encodeURIComponent(ref)}`).join('&')
  const path = `${projectApi(project)}/repository/merge_base?${refs}`
  return useRead<{ id: string }>(isNeeded ? path : undefined).data?.id
}
