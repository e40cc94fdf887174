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

type Rows = DetailedPipelineEverywhere[]

const LIST = '/pipelines?mine=true&with_details=true'
const RUNNING = `${LIST}&scope=running&per_page=20`
const RECENT = `${LIST}&scope=recent&per_page=5`

/** The pipelines of the user that run, and the last ones that have ended within an hour. */
export function RunningNow({ userId }: { userId: number }) {
  const running = useRead<Rows>(RUNNING)
  const recent = useRead<Rows>(RECENT)
  const reread = () => {
    void running.refetch()
    void recent.refetch()
  }
  useLive(
    ['me'],
    {
      pipeline: (message) => {
        if (message.user?.id !== userId || !running.data) return
        const changed = withPipeline(running.data, message)
        if (!changed || hasOtherStages(running.data, changed)) reread()
        else patch<Rows>(RUNNING, () => changed)
      },
      'pipeline-deleted': ({ id }) => {
        if ([running.data, recent.data].some((rows) => rows?.some((row) => row.id === id))) reread()
      },
    },
    reread,
  )
  return (
    <Panel title="Your pipelines" isFlush>
      <Read of={running} loading={<Skeleton rows={3} />}>
        {(now) => (
          <Read of={recent} loading={<Skeleton rows={3} />}>
            {(ended) => {
              const shown = withoutRepeated([...now, ...ended])
              return shown.length === 0 ? (
                <Empty icon={Workflow} title="None of your pipelines runs.">
                  Pipelines that you start appear here, and for an hour after they have ended.
                </Empty>
              ) : (
                <PipelineLines label="Your pipelines" pipelines={shown} hidesUser />
              )
            }}
          </Read>
        )}
      </Read>
    </Panel>
  )
}

/** Whether the status of a stage has changed: then another job may have the log that the line links to. */
function hasOtherStages(before: Rows, after: Rows): boolean {
  return after.some((row, index) =>
    row.stages.some((stage, position) => stage.status !== before[index]?.stages[position]?.status),
  )
}

/** One that has just ended may still be in the list of those that run. */
function withoutRepeated(rows: Rows): Rows {
  return [...new Map(rows.map((row) => [row.id, row])).values()]
}
