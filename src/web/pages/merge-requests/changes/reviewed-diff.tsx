import { useState } from 'preact/hooks'

import type { Coverage } from '../../../../coordinator/planning/merge-requests/changed-coverage/schema.js'
import { failureOf } from '../../../api/failure.js'
import { refresh, useRead, useRefetchOn } from '../../../api/use-read.js'
import type { DiffEntry } from '../../../code/diff-files.js'
import { DiffView } from '../../../code/diff-view.js'
import { Missing } from '../../../frame/missing.js'
import { useLoaded } from '../../../frame/use-loaded.js'
import { mergeRequestPath } from '../merge-request-path.js'
import type { ShownMergeRequest } from '../shown-merge-request.js'
import type { CoverageMarksProps, Marks } from './coverage-marks.js'
import type { OtherFiles } from './use-all-diffs.js'
import { useFailedTests } from './use-failed-tests.js'
import { type DiffRefs, useLineThreads } from './use-line-threads.js'
import { useViewedFiles } from './use-viewed-files.js'

interface ReviewedDiffProps extends ShownMergeRequest {
  entries: readonly DiffEntry[]
  /** The changed files that are not among the entries yet. */
  others?: OtherFiles | undefined
  /** The commits between which the changes are; without them, they take no threads. */
  refs: DiffRefs | undefined
  /** The commits before and after the changes, if there are no `refs`. */
  base?: string
  head?: string
}

/** Changed files with the threads on their lines. */
export function ReviewedDiff({ entries, others, refs, base, head, ...shown }: ReviewedDiffProps) {
  const threads = useLineThreads(shown, refs, entries)
  const tests = useFailedTests(shown, refs?.head_sha, entries, threads.notes)
  const viewed = useViewedFiles(shown)
  const [coverageMarks, setCoverageMarks] = useState<Marks>()
  const coverage = useCoverage(shown, !others && refs?.head_sha === shown.request.sha)
  const asked = new URLSearchParams(location.search).get('thread')
  return (
    <>
      {others && !others.failure && <p role="status">More files are being read.</p>}
      <Missing what="More files" failure={others?.failure} />
      <Missing what="Threads on lines" failure={threads.failure} />
      <Missing what="The comments of your review" failure={threads.reviewFailure} />
      <Missing what="Failed tests" failure={tests.failure} />
      <Missing what="The files that you have viewed" failure={viewed.failure} />
      <Missing what="The coverage of changed lines" failure={coverage.failure} />
      {coverage.data && <LoadedMarks coverage={coverage.data} onMarks={setCoverageMarks} />}
      <DiffView
        project={shown.project}
        base={refs?.base_sha ?? base}
        head={refs?.head_sha ?? head ?? shown.request.target_branch}
        entries={entries}
        marks={viewed.marks}
        notes={{ ...tests.notes, ...coverageMarks }}
        stops={threads.open}
        shows={asked === null ? undefined : threads.positionOf(asked)}
      />
      {threads.bar}
    </>
  )
}

/** The coverage by the latest pipeline, if it has any. Read after the files, which do not wait for it. */
function useCoverage({ project, request }: ShownMergeRequest, isRead: boolean) {
  const { head_pipeline: pipeline } = request
  const path = isRead && pipeline ? `${mergeRequestPath(project, request.iid)}/coverage` : undefined
  const read = useRead<Coverage>(path)
  useRefetchOn(pipeline && `${pipeline.id} ${pipeline.status}`, { refetch: () => path && refresh(path) })
  const { data } = read
  const hasAny = data && (data.errors.length > 0 || Object.keys(data.files).length > 0)
  return { data: hasAny ? data : undefined, failure: failureOf(read) }
}

function LoadedMarks(props: CoverageMarksProps) {
  const part = useLoaded(() => import('./coverage-marks.js'))
  return part ? <part.CoverageMarks {...props} /> : null
}
