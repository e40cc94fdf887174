import type { LocalJob } from './local-pipeline.js'

/** Formats a status, for example `failed (script failure, exit code 2), allowed to fail, 1.3 s`. */
export function statusText(job: LocalJob): string {
  return [job.status + inParentheses(whyFailed(job)), excuse(job), coverageText(job), duration(job)]
    .filter((part) => part !== '')
    .join(', ')
}

/** Explains the status of a job, if necessary, and shows its coverage. */
export function remarkOn(job: LocalJob): string {
  return [whyFailed(job), excuse(job), waiting(job), coverageText(job)]
    .filter((part) => part !== '')
    .join(', ')
}

/** Empty for a job that never started. */
export function duration({ startedAt, finishedAt }: LocalJob): string {
  if (startedAt === undefined || finishedAt === undefined) return ''
  return `${((finishedAt - startedAt) / 1000).toFixed(1)} s`
}

const COLOURS: Partial<Record<LocalJob['status'], number>> = {
  success: 32,
  failed: 31,
  canceled: 33,
  manual: 33,
}
const YELLOW = 33

export function statusColour({ status, allowFailure }: LocalJob): number | undefined {
  return status === 'failed' && allowFailure ? YELLOW : COLOURS[status]
}

function whyFailed({ status, failure }: LocalJob): string {
  if (status !== 'failed' || !failure) return ''
  const reason = failure.failure_reason.replaceAll('_', ' ')
  return failure.exit_code === undefined ? reason : `${reason}, exit code ${failure.exit_code}`
}

function excuse({ status, allowFailure }: LocalJob): string {
  return status === 'failed' && allowFailure ? 'allowed to fail' : ''
}

function waiting({ status, planned }: LocalJob): string {
  if (status !== 'manual') return ''
  return planned.trigger ? 'its pipeline waits for manual jobs' : 'manual jobs run if they are named'
}

function coverageText({ coverage }: LocalJob): string {
  return coverage === undefined ? '' : `coverage ${coverage}%`
}

function inParentheses(text: string): string {
  return text === '' ? '' : ` (${text})`
}
