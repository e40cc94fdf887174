import { useCallback, useEffect, useRef } from 'preact/hooks'

import type { GraphJob, PipelineGraph } from '../../../coordinator/ci/pipelines/graph/schema.js'
import { useSearch } from '../../frame/location.js'
import { followJobs, hasFailed } from '../../graph/follow-jobs.js'

export interface LogPaneState {
  /** ID of the job whose log is shown beside the others; undefined if none is. */
  current: number | undefined
  /** The log of a running job is shown, and changes as jobs end. */
  follows: boolean
  /** A log is shown, or the next one is waited for. */
  isOpen: boolean
  /** Handles a click on the link of a job: shows its log here, if it is a job of a runner. */
  onOpen: (job: GraphJob, event: MouseEvent) => void
  show: (id: number) => void
  follow: (follows: boolean) => void
  close: () => void
}

/**
 * The log beside the jobs of a pipeline. The address names its job, so that Back works.
 * @param kept further values of the address while a log is shown
 */
export function useLogPane(graph: PipelineGraph, kept: Record<string, string> = {}): LogPaneState {
  const { jobs } = graph
  const [search, setSearch] = useSearch()
  const current = Number(search.get('log')) || undefined
  const follows = search.get('follow') === 'true'
  const latest = useRef({ jobs, current, kept, setSearch })
  latest.current = { jobs, current, kept, setSearch }

  const name = useRef<string | undefined>(undefined)
  const show = useCallback((id: number) => {
    const state = latest.current
    if (id === state.current) return
    // A job of a child pipeline has no other attempts in this one.
    if (state.jobs.every((job) => job.id !== id)) name.current = undefined
    const changes = { log: String(id), follow: undefined }
    state.setSearch({ ...state.kept, ...changes }, { replaces: false, keepsScroll: true })
  }, [])
  const onOpen = useCallback(
    (job: GraphJob, event: MouseEvent) => {
      // Trigger jobs lead to their pipeline. `Enter` on the job that is shown leads to its page.
      const isEnter = event.detail === 0
      if (job.kind !== 'job' || (isEnter && job.id === latest.current.current)) return
      event.preventDefault()
      show(job.id)
    },
    [show],
  )
  const close = useCallback(
    () =>
      latest.current.setSearch({ log: undefined, follow: undefined }, { replaces: false, keepsScroll: true }),
    [],
  )

  const ignored = useRef<ReadonlySet<number>>(new Set())
  const follow = useCallback((starts: boolean) => {
    const state = latest.current
    if (!starts) {
      state.setSearch({ follow: undefined })
      return
    }
    ignored.current = new Set(state.jobs.filter(hasFailed).map(({ id }) => id))
    state.setSearch({ ...state.kept, follow: 'true' }, { replaces: false, keepsScroll: true })
  }, [])
  const isFinished = graph.finished_at !== null
  useEffect(() => {
    if (!follows) return
    const { job, hasEnded } = followJobs(jobs, current, ignored.current, isFinished)
    if (job === current && !hasEnded) return
    latest.current.setSearch({
      log: job === undefined ? undefined : String(job),
      follow: hasEnded ? undefined : 'true',
    })
  }, [follows, jobs, current, isFinished])

  // When the job that is shown is retried, the new attempt takes its place.
  const known = jobs.find(({ id }) => id === current)
  const newer = known ?? jobs.find((job) => job.name === name.current)
  useEffect(() => {
    if (known || current === undefined) name.current = known?.name
    else if (newer && newer.id > current) latest.current.setSearch({ log: String(newer.id) })
  }, [current, known, newer])

  return { current, follows, isOpen: current !== undefined || follows, onOpen, show, follow, close }
}
