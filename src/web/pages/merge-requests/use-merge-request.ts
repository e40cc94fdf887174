import type { SingleMergeRequest } from '../../../coordinator/planning/merge-requests/record-schema.js'
import { useRead } from '../../api/use-read.js'
import { useLive } from '../../live/use-live.js'
import { mergeRequestPath } from './merge-request-path.js'

/** Milliseconds between reads while the server checks, rebases or merges. */
const SOON = 2000

const UNDECIDED = ['unchecked', 'checking', 'preparing']

/** A merge request, which follows its pipelines and what the server does with it. */
export function useMergeRequest(project: string, iid: string) {
  const path = `${mergeRequestPath(project, iid)}?render_html=true&include_rebase_in_progress=true&include_diverged_commits_count=true`
  const known = useRead<SingleMergeRequest>(path).data
  const isMoving =
    known !== undefined &&
    (known.state === 'locked' ||
      known.rebase_in_progress === true ||
      (known.state === 'opened' && UNDECIDED.includes(known.merge_status)))
  const record = useRead<SingleMergeRequest>(path, { refetchInterval: isMoving && SOON })
  const reload = () => void record.refetch()
  const { data } = record
  // The pipelines of a fork are in the fork.
  const projects = data ? [data.target_project_id, data.source_project_id] : []
  useLive(
    [...new Set(projects)].flatMap((id) => (id === null ? [] : [`project/${id}`])),
    {
      pipeline: ({ id, sha }) => {
        if (sha === record.data?.sha || id === record.data?.head_pipeline?.id) reload()
      },
    },
    reload,
  )
  return { record, reload }
}
