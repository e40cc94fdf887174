import { Workflow } from 'lucide'

import type { DetailedPipelineEverywhere } from '../../../coordinator/ci/pipelines/everywhere/schema.js'
import { patch, useRead } from '../../api/use-read.js'
import { Read } from '../../frame/problem.js'
import { Empty } from '../../kit/empty.js'
import { Panel } from '../../kit/panel.js'
import { Skeleton } from '../../kit/skeleton.js'
import { useLive } from '../../live/use-live.js'
import { withPipeline } from '../../records/patch-pipelines.js'
import { PipelineLines } from '../../records/pipeline-lines.js'

const PATH = '/pipelines?mine=true&scope[]=running&scope[]=recent&with_details=true&per_page=10'

/** The pipelines of the user that run, and those that have ended within the last hour. */
export function RunningNow({ userId }: { userId: number }) {
  const pipelines = useRead<DetailedPipelineEverywhere[]>(PATH)
  const { data, refetch } = pipelines
  useLive(
    ['me'],
    {
      pipeline: (message) => {
        if (message.user?.id !== userId || !data) return
        const changed = withPipeline(data, message)
        if (changed) patch<DetailedPipelineEverywhere[]>(PATH, () => changed)
        else void refetch()
      },
      'pipeline-deleted': ({ id }) => {
        if (data?.some((row) => row.id === id)) void refetch()
      },
    },
    () => void refetch(),
  )
  return (
    <Panel title="Your pipelines" isFlush>
      <Read of={pipelines} loading={<Skeleton rows={3} />}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty icon={Workflow} title="None of your pipelines runs.">
              Pipelines that you start appear here, and for an hour after they have ended.
            </Empty>
          ) : (
            <PipelineLines label="Your pipelines" pipelines={rows} hidesUser />
          )
        }
      </Read>
    </Panel>
  )
}
