import type { DetailedPipeline } from '../../coordinator/ci/pipelines/details/schema.js'
import type { PipelineMessage } from '../../coordinator/live/messages.js'

/**
 * A list of pipelines after a change of one of them.
 * @returns undefined if the list must be read again: the pipeline is not in it, or has ended, so that its sums have changed
 */
export function withPipeline<Row extends DetailedPipeline>(
  rows: readonly Row[],
  message: PipelineMessage,
): Row[] | undefined {
  const index = rows.findIndex(({ id }) => id === message.id)
  const row = rows[index]
  if (!row || message.finished_at !== row.finished_at) return undefined
  const { status, updated_at, started_at, duration, queued_duration, coverage } = message
  const statuses = new Map(message.stages.map((stage) => [stage.name, stage.status]))
  const stages = row.stages.map((stage) => ({ ...stage, status: statuses.get(stage.name) ?? stage.status }))
  return rows.with(index, {
    ...row,
    status,
    updated_at,
    started_at,
    duration,
    queued_duration,
    coverage,
    stages,
  })
}
