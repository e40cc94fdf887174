import { addressOf, queryOf } from '../../addresses/address-of.js'
import { projectApi } from '../../addresses/first-reads.js'
import type { Pipeline } from '../../coordinator/ci/pipelines/schema.js'
import type { SimpleProject } from '../../coordinator/hosting/projects/record/schema.js'
import { useRead } from '../api/use-read.js'
import { Alert } from '../kit/alert.js'
import { StatusBadge } from '../kit/status.js'
import { useLive } from '../live/use-live.js'

interface CommittedNoteProps {
  project: string
  branch: string
  sha: string
  title: string
}

/** What was committed, and the pipeline that it starts, as soon as there is one. */
export function CommittedNote({ project, branch, sha, title }: CommittedNoteProps) {
  const record = useRead<SimpleProject>(projectApi(project), { staleTime: 60_000 }).data
  const pipelines = useRead<Pipeline[]>(
    `${projectApi(project)}/pipelines${queryOf({ sha, ref: branch, per_page: 1 })}`,
  )
  const pipeline = pipelines.data?.[0]
  const reload = () => void pipelines.refetch()
  useLive(record ? [`project/${record.id}`] : [], { pipeline: reload }, reload)
  return (
    <Alert
      title={
        <>
          Committed to {branch}: <a href={addressOf('code/commit', { project, sha })}>{title}</a>
        </>
      }
      actions={
        pipeline && (
          <a href={addressOf('pipelines/pipeline', { project, id: String(pipeline.id) })}>
            Pipeline #{pipeline.id} <StatusBadge status={pipeline.status} />
          </a>
        )
      }
    />
  )
}
