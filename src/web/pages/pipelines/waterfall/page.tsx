import { useCallback, useMemo } from 'preact/hooks'

import { addressOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import type { GraphJob, PipelineGraph } from '../../../../coordinator/ci/pipelines/graph/schema.js'
import { useRead, useRefetchOn } from '../../../api/use-read.js'
import { Read } from '../../../frame/problem.js'
import { criticalPath, type CriticalStep } from '../../../graph/critical-path.js'
import { WaterfallView } from '../../../graph/waterfall-view.js'
import { waterfallOf } from '../../../graph/waterfall.js'
import { useNow } from '../../../kit/clock.js'
import { formatDuration } from '../../../kit/durations.js'
import { Empty } from '../../../kit/empty.js'
import { FollowButton } from '../follow-button.js'
import { LogSplit } from '../log-split.js'
import { PipelineLayout } from '../pipeline-layout.js'
import { useLogPane } from '../use-log-pane.js'
import type { ShownPipeline } from '../use-pipeline.js'
import styles from './page.module.css'
import { useExpected } from './use-expected.js'

/** When each job of a pipeline waited and ran, and which of them decided its end. */
export function Page({ params }: { params: { project: string; id: string } }) {
  return (
    <PipelineLayout params={params} tab="waterfall">
      {(shown) => <WithAttempts {...shown} />}
    </PipelineLayout>
  )
}

/**
 * With earlier attempts, read at first and at the end of the pipeline, and when logs began, which events of the stream
 * report too.
 */
function WithAttempts(shown: ShownPipeline) {
  const { project, graph } = shown
  const path = `${projectApi(project)}/pipelines/${graph.id}/graph?with_attempts=true&with_output_times=true`
  const read = useRead<PipelineGraph>(path, { keepsPrevious: true })
  const known = read.data?.jobs
  const { finished_at: finished } = graph
  useRefetchOn(finished, read)
  const whole = useMemo(
    () => (known ? { ...graph, jobs: withAttempts(graph.jobs, known) } : graph),
    [graph, known],
  )
  return <Read of={read}>{() => <Waterfall {...shown} graph={whole} />}</Read>
}

function withAttempts(current: PipelineGraph['jobs'], known: PipelineGraph['jobs']): PipelineGraph['jobs'] {
  const byId = new Map(known.map((job) => [job.id, job]))
  return current.map((job) => {
    const { earlier_attempts, output_at: read } = byId.get(job.id) ?? {}
    const output_at = job.output_at ?? read
    return {
      ...job,
      ...(earlier_attempts && { earlier_attempts }),
      ...(output_at !== undefined && { output_at }),
    }
  })
}

function Waterfall({ project, graph }: ShownPipeline) {
  const pane = useLogPane(graph)
  const isRunning = graph.finished_at === null
  const now = useNow(isRunning)
  const start = Date.parse(graph.created_at)
  const end = graph.finished_at === null ? now : Date.parse(graph.finished_at)
  const stages = useMemo(() => graph.stages.map(({ name }) => name), [graph.stages])
  const addressOfJob = useCallback(
    ({ id }: GraphJob) => addressOf('jobs/job', { project, id: String(id) }),
    [project],
  )
  const expected = useExpected(project, graph.jobs)
  const waterfall = useMemo(
    () => waterfallOf(graph.jobs, stages, start, end, expected),
    [graph.jobs, stages, start, end, expected],
  )
  const path = useMemo(() => criticalPath(graph.jobs, stages, start, end), [graph.jobs, stages, start, end])
  if (path.length === 0) {
    return <Empty title="No job has started yet.">The waterfall shows when jobs wait and run.</Empty>
  }
  return (
    <>
      <div class={styles['top']}>
        <dl class={styles['sums']}>
          <Sum name="Run time of all jobs" value={formatDuration(waterfall.ran)} />
          <Sum name="Time in the queue" value={formatDuration(waterfall.waited)} />
          <Sum name="Jobs at once, on average" value={waterfall.parallelism.toFixed(1)} />
        </dl>
        {!pane.isOpen && <FollowButton graph={graph} pane={pane} />}
      </div>
      <CriticalPath steps={path} project={project} />
      <LogSplit project={project} graph={graph} pane={pane}>
        <WaterfallView
          waterfall={waterfall}
          critical={new Set(path.map(({ job }) => job.id))}
          addressOfJob={addressOfJob}
          onOpen={pane.onOpen}
          onShow={pane.show}
          current={pane.current}
        />
      </LogSplit>
    </>
  )
}

function Sum({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

/** The jobs are marked in the waterfall; the list of them opens. */
function CriticalPath({ steps, project }: { steps: readonly CriticalStep[]; project: string }) {
  const idle = steps.reduce((sum, step) => sum + step.idle, 0)
  const ran = steps.reduce((sum, step) => sum + step.ran, 0)
  return (
    <details class={styles['path']}>
      <summary>
        <h2>Critical path</h2>{' '}
        <span>
          {steps.length === 1 ? '1 job decided' : `${steps.length} jobs decided`} when the pipeline ended:
          they ran for {formatDuration(ran)}, and {formatDuration(idle)} passed without a run.
        </span>
      </summary>
      <ol aria-label="Critical path">
        {steps.map(({ job, ran: own }) => (
          <li key={job.id}>
            <a href={addressOf('jobs/job', { project, id: String(job.id) })}>{job.name}</a>{' '}
            <span>{formatDuration(own)}</span>
          </li>
        ))}
      </ol>
    </details>
  )
}
