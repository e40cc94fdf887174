import type { DiffEntry } from '../../../code/diff-files.js'
import { DiffView } from '../../../code/diff-view.js'
import type { ShownMergeRequest } from '../shown-merge-request.js'
import { useFailedTests } from './use-failed-tests.js'
import { type DiffRefs, useLineThreads } from './use-line-threads.js'
import { useViewedFiles } from './use-viewed-files.js'

interface ReviewedDiffProps extends ShownMergeRequest {
  entries: readonly DiffEntry[]
  /** All changed files are among the entries. */
  isWhole: boolean
  /** The commits between which the changes are; without them, they take no threads. */
  refs: DiffRefs | undefined
  /** The commits before and after the changes, if there are no `refs`. */
  base?: string
  head?: string
}

/** Changed files with the threads on their lines. */
export function ReviewedDiff({ entries, isWhole, refs, base, head, ...shown }: ReviewedDiffProps) {
  const threads = useLineThreads(shown, refs, entries)
  const notes = useFailedTests(shown, refs?.head_sha, entries, threads.notes)
  const marks = useViewedFiles(shown)
  const asked = new URLSearchParams(location.search).get('thread')
  return (
    <>
      {!isWhole && <p role="status">More files are being read.</p>}
      <DiffView
        project={shown.project}
        base={refs?.base_sha ?? base}
        head={refs?.head_sha ?? head ?? shown.request.target_branch}
        entries={entries}
        marks={marks}
        notes={notes}
        stops={threads.open}
        shows={asked === null ? undefined : threads.positionOf(asked)}
      />
      {threads.bar}
    </>
  )
}
