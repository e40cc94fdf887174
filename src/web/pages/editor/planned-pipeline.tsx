import { Workflow } from 'lucide'
import { useMemo, useState } from 'preact/hooks'

import type { LintedJob } from '../../../coordinator/ci/lint/schema.js'
import { GraphView } from '../../graph/graph-view.js'
import { groupJobs } from '../../graph/job-groups.js'
import { stageColumns } from '../../graph/layers.js'
import { relationsOf } from '../../graph/relations.js'
import { Empty } from '../../kit/empty.js'
import { plannedGraph } from './planned-graph.js'
import styles from './planned-pipeline.module.css'

interface PlannedPipelineProps {
  jobs: readonly LintedJob[]
  stages: readonly string[]
  onShow: (name: string) => void
}

/** The graph of the pipeline that the event would start. */
export function PlannedPipeline({ jobs, stages, onShow }: PlannedPipelineProps) {
  const [focus, setFocus] = useState<string>()
  const groups = useMemo(() => groupJobs(plannedGraph(jobs)), [jobs])
  const relations = useMemo(() => relationsOf(groups, stages, false), [groups, stages])
  const columns = useMemo(() => stageColumns(groups, stages), [groups, stages])
  if (jobs.length === 0) return <Empty icon={Workflow} title="This event would start no job." />
  return (
    <div class={styles['graph']}>
      <GraphView
        columns={columns}
        headings={stages.map((name) => ({ name, status: 'created' }))}
        relations={relations}
        showsAllEdges
        focus={focus}
        onFocus={setFocus}
        addressOfJob={() => location.pathname + location.search}
        actionOf={() => null}
        onOpen={({ name }, event) => {
          event.preventDefault()
          onShow(name)
        }}
      />
    </div>
  )
}
