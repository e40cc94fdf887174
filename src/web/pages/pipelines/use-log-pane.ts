import { useCallback, useEffect, useRef } from 'preact/hooks'

import type { GraphJob } from '../../../coordinator/ci/pipelines/graph/schema.js'
import { useSearch } from '../../frame/location.js'

export interface LogPaneState {
  /** ID of the job whose log is shown beside the others; undefined if none is. */
  current: number | undefined
  /** For the click on the link of a job: shows its log here, except of jobs that have none. */
  onOpen: (job: GraphJob, event: MouseEvent) => void
  show: (id: number) => void
  close: () => void
}

/**
 * The log beside the jobs of a pipeline. Which one it is, is in the address, so that Back works.
 * @param jobs of the pipeline
 * @param kept further values of the address while a log is shown
 */
export function useLogPane(jobs: readonly GraphJob[], kept: Record<string, string> = {}): LogPaneState {
  const [search, setSearch] = useSearch()
  const current = Number(search.get('log')) || undefined
  const latest = useRef({ current, kept, setSearch })
  latest.current = { current, kept, setSearch }

  const show = useCallback((id: number) => {
    const state = latest.current
    if (id === state.current) return
    state.setSearch({ ...state.kept, log: String(id) }, { replaces: false, keepsScroll: true })
  }, [])
  const onOpen = useCallback((job: GraphJob, event: MouseEvent) => {
    // Trigger jobs lead to their pipeline. `Enter` on the job that is shown leads to its page.
    const isEnter = event.detail === 0
    if (job.kind !== 'job' || (isEnter && job.id === latest.current.current)) return
    event.preventDefault()
    show(job.id)
  }, [])
  const close = useCallback(
    () => latest.current.setSearch({ log: undefined }, { replaces: false, keepsScroll: true }),
    [],
  )

  // When the job that is shown is retried, the new attempt takes its place.
  const name = useRef<string | undefined>(undefined)
  const known = jobs.find(({ id }) => id === current)
  const newer = known ?? jobs.find((job) => job.name === name.current)
  useEffect(() => {
    if (known || current === undefined) name.current = known?.name
    else if (newer && newer.id > current) setSearch({ log: String(newer.id) })
  }, [current, known, newer])

  return { current, onOpen, show, close }
}
