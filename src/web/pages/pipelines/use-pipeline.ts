import { projectApi } from '../../../addresses/first-reads.js'
import type { GraphJob, PipelineGraph } from '../../../coordinator/ci/pipelines/graph/schema.js'
import type { Pipeline } from '../../../coordinator/ci/pipelines/schema.js'
import { patch, refresh, useRead } from '../../api/use-read.js'
import { useLive } from '../../live/use-live.js'

export interface ShownPipeline {
  project: string
  pipeline: Pipeline
  graph: PipelineGraph
}

/** A pipeline with its graph, which follow its changes while they are shown. */
export function usePipeline(project: string, id: string) {
  const path = `${projectApi(project)}/pipelines/${id}`
  const pipeline = useRead<Pipeline>(path)
  const graph = useRead<PipelineGraph>(`${path}/graph`)
  const number = Number(id)
  useLive(
    [`pipeline/${id}`],
    {
      pipeline: (message) => {
        if (message.id !== number) return
        const { stages, version, ...record } = message
        patch<Pipeline>(path, (known) => ({ ...known, ...record }))
        patch<PipelineGraph>(`${path}/graph`, (known) => ({
          ...known,
          version,
          stages,
          status: message.status as PipelineGraph['status'],
          started_at: message.started_at,
          finished_at: message.finished_at,
          duration: message.duration,
        }))
      },
      jobs: ({ pipeline_id: changed, jobs, version }) => {
        if (changed !== number) return
        patch<PipelineGraph>(`${path}/graph`, (known) => ({
          ...known,
          version,
          jobs: withChanges(known.jobs, jobs),
        }))
      },
      'pipeline-deleted': (message) => {
        if (message.id === number) void refresh(path)
      },
    },
    () => void refresh(path),
  )
  return { path, pipeline, graph }
}

/** The jobs of a graph after some have changed: each replaces the one of its name, new ones follow. */
function withChanges(known: readonly GraphJob[], changed: readonly GraphJob[]): GraphJob[] {
  const byName = new Map(changed.map((job) => [job.name, job]))
  const replaced = known.map((job) => {
    const change = byName.get(job.name)
    byName.delete(job.name)
    // An event may be older than what has been read since.
    return change && change.id >= job.id ? { ...change, ...keptAttempts(job) } : job
  })
  return [...replaced, ...byName.values()]
}

function keptAttempts({ earlier_attempts: attempts }: GraphJob): Pick<GraphJob, 'earlier_attempts'> {
  return attempts === undefined ? {} : { earlier_attempts: attempts }
}
