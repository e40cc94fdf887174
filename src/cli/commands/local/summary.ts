import type { LocalDisplay } from './local-display.js'
import type { LocalPipeline } from './local-pipeline.js'
import { duration, remarkOn } from './status-text.js'

/** Shows how the pipeline and each of its jobs ended. */
export function showSummary(
  display: LocalDisplay,
  pipeline: LocalPipeline,
  { title, seconds }: { title: string; seconds: number },
): void {
  const rows = pipeline.jobs.map((job) => ({
    job,
    cells: [job.planned.stage, job.planned.name, job.status, duration(job).padStart(8), remarkOn(job)],
  }))
  const widths = [0, 1, 2].map((column) =>
    Math.max(0, ...rows.map(({ cells }) => cells[column]?.length ?? 0)),
  )
  display.print('')
  display.heading(`${title}: ${pipeline.status}, ${seconds.toFixed(1)} s`)
  for (const { job, cells } of rows) {
    display.summaryLine(
      cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)),
      job,
    )
  }
  // If the pipeline failed, its status already shows it.
  const inVain = isWell(pipeline) ? unmatchedNames(pipeline) : []
  if (inVain.length > 0) display.print(`Named, but not successful: ${inVain.join(', ')}`)
}

/** Jobs that were named and did not succeed, even if they are allowed to fail. */
function unmatchedNames({ jobs }: Pick<LocalPipeline, 'jobs'>): string[] {
  return jobs
    .filter(({ isNamed, status }) => isNamed && status !== 'success')
    .map(({ planned }) => planned.name)
}

/** Whether the exit status is 0: no job failed that must not fail, and all named jobs succeeded. */
export function isFine(pipeline: Pick<LocalPipeline, 'status' | 'jobs'>): boolean {
  return isWell(pipeline) && unmatchedNames(pipeline).length === 0
}

/** A pipeline that is blocked by a manual job has not failed. */
function isWell({ status }: Pick<LocalPipeline, 'status'>): boolean {
  return ['success', 'skipped', 'manual'].includes(status)
}
