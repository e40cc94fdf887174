import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'

import type {
  GraphJob,
  LinkedPipeline,
  PipelineGraph,
} from '../../../coordinator/ci/pipelines/graph/schema.js'
import type { LinkedPipelines } from '../../graph/graph-view.js'
import { openPipeline } from '../../graph/open-pipeline.js'
import { usePipeline } from './use-pipeline.js'

type Reading = PipelineGraph | string

/** The pipelines that the reader has opened inside the graph of one. */
export function useLinkedPipelines(project: string, { id, upstream }: PipelineGraph) {
  const [opened, setOpened] = useState<readonly LinkedPipeline[]>([])
  const [read, setRead] = useState<ReadonlyMap<number, Reading>>(new Map())
  const toggle = useCallback(
    (pipeline: LinkedPipeline) =>
      setOpened((before) => {
        const others = before.filter((one) => one.id !== pipeline.id)
        return others.length < before.length ? others : [...before, pipeline]
      }),
    [],
  )
  const onRead = useCallback(
    (of: number, reading: Reading) => setRead((before) => new Map(before).set(of, reading)),
    [],
  )
  const linked: LinkedPipelines = {
    id,
    upstream,
    toggle,
    pipelines: useMemo(
      () =>
        new Map(
          opened.map((one) => {
            const reading = read.get(one.id) ?? 'Loading …'
            return [one.id, typeof reading === 'string' ? reading : openPipeline(reading)]
          }),
        ),
      [opened, read],
    ),
  }
  const projects = useMemo(() => new Map(opened.map((one) => [one.id, one.project_path])), [opened])
  /** Full path of the project of a job that the graph shows. */
  const projectOf = useCallback(
    (job: GraphJob) => projects.get(job.pipeline_id) ?? project,
    [projects, project],
  )
  const readers = opened.map((pipeline) => <Reader key={pipeline.id} {...{ pipeline, onRead }} />)
  return { linked, projectOf, readers }
}

/** Follows a pipeline as long as it is open; shows nothing itself. */
function Reader({
  pipeline: { id, project_path: project },
  onRead,
}: {
  pipeline: LinkedPipeline
  onRead: (id: number, reading: Reading) => void
}) {
  const { data, error } = usePipeline(project, String(id)).graph
  useEffect(() => {
    const reading = data ?? error?.message
    if (reading) onRead(id, reading)
  }, [id, data, error, onRead])
  return null
}
