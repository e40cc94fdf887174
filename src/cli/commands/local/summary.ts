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
  display.say('')
  display.heading(`${title}: ${pipeline.status}, ${seconds.toFixed(1)} s`)
  for (const { job, cells } of rows) {
    display.summaryLine(
      cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)),
      job,
    )
  }
  // A pipeline that is not well says it already.
  const inVain = isWell(pipeline) ? unmatchedNames(pipeline) : []
  if (inVain.length > 0) display.say(`Asked for, and not successful: ${inVain.join(', ')}`)
}

/** Those that were asked for by name and did not succeed, whatever the file excuses. */
function unmatchedNames({ jobs }: Pick<LocalPipeline, 'jobs'>): string[] {
  return jobs
    .filter(({ isNamed, status }) => isNamed && status !== 'success')
    .map(({ planned }) => planned.name)
}

/** Whether a script may go on after the run: nothing failed that may not, and what was asked for by name succeeded. */
export function isFine(pipeline: Pick<LocalPipeline, 'status' | 'jobs'>): boolean {
  return isWell(pipeline) && unmatchedNames(pipeline).length === 0
}

/** Blocked by a manual job is not gone wrong. */
function isWell({ status }: Pick<LocalPipeline, 'status'>): boolean {
  return ['success', 'skipped', 'manual'].includes(status)
}
