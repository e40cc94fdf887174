import { mergeRequestRecord, projectApi } from '../../../addresses/first-reads.js'
import type { SingleMergeRequest } from '../../../coordinator/planning/merge-requests/record-schema.js'
import { useRead } from '../../api/use-read.js'
import { useLive } from '../../live/use-live.js'

/** Milliseconds between reads while the server checks, rebases or merges. */
const SOON = 2000

const UNDECIDED = ['unchecked', 'checking', 'preparing']

/** A merge request, which follows its pipelines and what the server does with it. */
export function useMergeRequest(project: string, iid: string) {
  const path = mergeRequestRecord(projectApi(project), iid)
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
  const topics = [...new Set(projects)].flatMap((id) => (id === null ? [] : [`project/${id}`]))
  useLive(
    data ? [...topics, `merge-request/${data.id}`] : topics,
    {
      'merge-request': ({ id }) => {
        if (id === record.data?.id) reload()
      },
      pipeline: ({ id, sha }) => {
        if (sha === record.data?.sha || id === record.data?.head_pipeline?.id) reload()
      },
    },
    reload,
  )
  return { record, reload }
}
