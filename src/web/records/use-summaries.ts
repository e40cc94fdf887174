import { useEffect, useRef } from 'preact/hooks'

import type { PipelinesSummary } from '../../coordinator/ci/pipelines/everywhere/schema.js'
import { boot } from '../api/boot.js'
import { useRead } from '../api/use-read.js'
import { useLive } from '../live/use-live.js'

/** Many changes within this time are one request. */
const GATHERED_MILLISECONDS = 1000
/** A stream follows up to 50 topics; the page may follow others. */
const MAX_FOLLOWED = 20

/**
 * The latest pipelines of the default branches of projects, by the ID of the project. Those whose pipelines the reader may
 * not see are left out.
 * @param isLive the summaries follow the pipelines of the projects
 */
export function useSummaries(
  ids: readonly number[],
  isLive: boolean,
): { summaries: ReadonlyMap<number, PipelinesSummary>; isPending: boolean } {
  const query = ids.map((id) => `ids[]=${id}`).join('&')
  const {
    data = [],
    isPending,
    refetch,
  } = useRead<PipelinesSummary[]>(ids.length === 0 ? undefined : `/projects/pipelines_summary?${query}`, {
    keepsPrevious: true,
  })
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const followed =
    isLive && boot.user ? data.slice(0, MAX_FOLLOWED).map(({ project_id: id }) => `project/${id}`) : []
  const readSoon = (projectId: number) => {
    if (!data.some(({ project_id: id }) => id === projectId)) return
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      void refetch()
    }, GATHERED_MILLISECONDS)
  }
  useLive(
    followed,
    {
      pipeline: ({ project_id: id }) => readSoon(id),
      'pipeline-deleted': ({ project_id: id }) => readSoon(id),
    },
    () => void refetch(),
  )
  return { summaries: new Map(data.map((summary) => [summary.project_id, summary])), isPending }
}
