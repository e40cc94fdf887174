import { projectApi } from '../../addresses/first-reads.js'
import type { DetailedBridge, DetailedJob } from '../../coordinator/ci/jobs/schema.js'
import { patch, refresh, useRead } from '../api/use-read.js'
import { useLive } from '../live/use-live.js'

/** A job of a runner, or a trigger job, which has no runner, tags and artifacts. */
export type ShownJob = DetailedJob &
  Partial<Pick<DetailedBridge, 'downstream_pipeline' | 'downstream_errors'>>

const OVER = new Set(['success', 'failed', 'canceled', 'skipped'])

export function isOver(status: string): boolean {
  return OVER.has(status)
}

/** A job with its details, which follow its changes while they are shown. */
export function useJob(project: string, id: string) {
  const base = `${projectApi(project)}/jobs/${id}`
  const path = `${base}?with_details=true`
  const job = useRead<ShownJob>(path)
  const number = Number(id)
  useLive(
    [`job/${id}`],
    {
      job: (message) => {
        if (message.id !== number) return
        patch<ShownJob>(path, (known) => ({ ...known, ...message }))
        // Actions, attempts and why it waits are in the details alone.
        if (job.data?.status !== message.status) void refresh(base)
      },
    },
    () => void refresh(base),
  )
  return { base, job }
}
