import type { PlannedAutoCancel } from '../../../../../src/ci-config/plan.js'
import type { JobStatus } from '../../../../../src/coordinator/database/tables/job-columns.js'
import type { SketchedJob } from './plan.js'

/** The result of a job as a runner reports it. */
export type Ending = { success: true } | { success: false; exitCode: number }

interface ModelJob extends SketchedJob {
  name: string
  status: JobStatus
  /** Whether a failure of this attempt is allowed. */
  allowed: boolean
  attempts: number
  started: boolean
}

const WAITING: JobStatus[] = ['created', 'pending', 'manual', 'scheduled']
const ENDED: JobStatus[] = ['success', 'failed', 'canceled']

/**
 * A simple model of one pipeline: a list of jobs, to which every rule is applied until nothing changes. The engine must
 * agree with it after every event.
 */
export class PipelineModel {
  readonly jobs: ModelJob[]
  /** A job that must not be interrupted ran in an attempt that was replaced. */
  private ranForGood = false

  constructor(
    sketch: Record<string, SketchedJob>,
    private readonly autoCancel: PlannedAutoCancel,
  ) {
    this.jobs = Object.entries(sketch).map(([name, job]) => ({
      ...job,
      name,
      status: 'created',
      allowed: isAllowed(job),
      attempts: 1,
      started: false,
    }))
    this.applyTransitions()
  }

  /** Of the pipeline. */
  status: JobStatus = 'created'
  /** Of the stages, by their positions. */
  readonly stages = new Map<number, JobStatus>()

  named(name: string): ModelJob {
    return this.jobs.find((job) => job.name === name)!
  }

  start(job: ModelJob): void {
    job.status = 'running'
    job.started = true
    this.applyTransitions()
  }

  end(job: ModelJob, ending: Ending): void {
    if (job.status === 'canceling') job.status = 'canceled'
    else if (ending.success) job.status = 'success'
    else this.fail(job, ending.exitCode)
    this.applyTransitions()
  }

  lose(job: ModelJob): void {
    job.status = job.status === 'canceling' ? 'canceled' : 'pending'
    if (job.status === 'pending') job.started = false
    this.applyTransitions()
  }

  cancel(job: ModelJob): void {
    if (job.status === 'running') job.status = 'canceling'
    else if (WAITING.includes(job.status)) job.status = 'canceled'
    this.applyTransitions()
  }

  cancelAll(): void {
    for (const job of this.jobs) this.cancelOnly(job)
    this.applyTransitions()
  }

  play(job: ModelJob): void {
    if (job.status === 'manual' || job.status === 'scheduled') {
      job.status = 'pending'
      this.reset(job)
    } else if (waitsForMore(job)) this.retry(job)
    this.applyTransitions()
  }

  retry(job: ModelJob): void {
    if (!ENDED.includes(job.status)) return
    this.replace(job, waitsForMore(job) ? 'pending' : 'created')
    this.reset(job)
    this.applyTransitions()
  }

  retryAll(): void {
    for (const job of this.jobs) {
      if (job.status === 'failed' || job.status === 'canceled') this.replace(job, 'created')
      else if (job.status === 'skipped') job.status = 'created'
    }
    this.applyTransitions()
  }

  unschedule(job: ModelJob): void {
    if (job.status === 'scheduled') job.status = 'manual'
    this.applyTransitions()
  }

  timePasses(): void {
    for (const job of this.jobs) if (job.status === 'scheduled') job.status = 'pending'
    this.applyTransitions()
  }

  newCommit(): void {
    const { onNewCommit } = this.autoCancel
    if (isOver(this.status) || this.status === 'canceling') return
    if (onNewCommit === 'conservative' && !this.ranForGood && !this.jobs.some(runsForGood)) this.cancelAll()
    if (onNewCommit === 'interruptible')
      for (const job of this.jobs) if (job.interruptible) this.cancelOnly(job)
    this.applyTransitions()
  }

  private fail(job: ModelJob, exitCode: number): void {
    const { retry, allowFailureCodes = [] } = job.options ?? {}
    job.status = 'failed'
    job.allowed ||= allowFailureCodes.includes(exitCode)
    const wanted = retry && (retry.when.includes('always') || retry.exitCodes.includes(exitCode))
    if (wanted && job.attempts <= retry.max) this.replace(job, waitsForMore(job) ? 'pending' : 'created')
    else if (!job.allowed && this.autoCancel.onJobFailure === 'all')
      for (const other of this.jobs) this.cancelOnly(other)
  }

  private cancelOnly(job: ModelJob): void {
    if (job.status === 'running') job.status = 'canceling'
    else if (WAITING.includes(job.status)) job.status = 'canceled'
  }

  private replace(job: ModelJob, status: JobStatus): void {
    this.ranForGood ||= runsForGood(job)
    job.attempts++
    job.allowed = isAllowed(job)
    job.started = false
    job.status = status
  }

  private reset(restarted: ModelJob): void {
    const waiting = new Set([restarted.name])
    for (let size = 0; size !== waiting.size;) {
      size = waiting.size
      for (const job of this.jobs) if (job.needs?.some((name) => waiting.has(name))) waiting.add(job.name)
    }
    for (const job of this.jobs) {
      const depends = waiting.has(job.name) || (job.stage ?? 0) > (restarted.stage ?? 0)
      if (job.status === 'skipped' && depends) job.status = 'created'
    }
  }

  private applyTransitions(): void {
    this.decide()
    for (const { stage = 0 } of this.jobs) {
      const now = composite(
        this.jobs.filter((job) => (job.stage ?? 0) === stage),
        false,
      )
      if (now && (now !== 'created' || !this.stages.has(stage))) this.stages.set(stage, now)
    }
    const now = composite(this.jobs, false)
    if (now === 'pending' && /^(running|success|failed|cancel)/.test(this.status)) this.status = 'running'
    else if (now && now !== 'created') this.status = now
  }

  /** Applies the rules to every job that is ready or can never be, until nothing changes. */
  private decide(): void {
    for (let changed = true; changed;) {
      changed = false
      for (const job of this.jobs.filter(({ status }) => status === 'created')) {
        const before = this.before(job)
        if (!isOver(before)) continue
        job.status = mayRun(job, before) ? statusInTurn(job) : 'skipped'
        changed = true
      }
    }
  }

  private before({ needs, stage = 0 }: ModelJob): JobStatus {
    const others = needs
      ? this.jobs.filter(({ name }) => needs.includes(name))
      : this.jobs.filter((other) => (other.stage ?? 0) < stage)
    return composite(others, needs !== undefined) ?? 'success'
  }
}

function isAllowed({ allowFailure, when }: SketchedJob): boolean {
  return allowFailure ?? when === 'manual'
}

function waitsForMore({ when, startIn }: SketchedJob): boolean {
  return when === 'manual' || startIn !== undefined
}

function runsForGood({ interruptible, started, status }: ModelJob): boolean {
  return !interruptible && started && ['running', 'success', 'failed'].includes(status)
}

function isOver(status: JobStatus): boolean {
  return ENDED.includes(status) || status === 'skipped'
}

function statusInTurn({ when, startIn }: ModelJob): JobStatus {
  if (startIn !== undefined) return 'scheduled'
  return when === 'manual' ? 'manual' : 'pending'
}

/** CI language, 11.3: the table of step 5. */
function mayRun({ when = 'on_success', needs }: ModelJob, before: JobStatus): boolean {
  const table: Record<string, JobStatus[]> = {
    on_failure: ['failed'],
    always: ['success', 'failed', 'skipped'],
  }
  return (table[when] ?? (needs ? ['success'] : ['success', 'skipped'])).includes(before)
}

/** The rows of CI language, 11.1: symbols of which all or one must be present, and the status. */
const ROWS: [only: boolean, symbols: string, status: JobStatus][] = [
  [true, 'skipped ignored', 'skipped'],
  [true, 'success skipped warning ignored', 'success'],
  [true, 'created warning ignored', 'created'],
  [true, 'canceled success skipped warning ignored', 'canceled'],
  [true, 'pending created skipped warning ignored', 'pending'],
  [false, 'running pending', 'running'],
  [false, 'manual', 'manual'],
  [false, 'scheduled', 'scheduled'],
  [false, 'created', 'running'],
  [false, 'canceling', 'canceling'],
]

function composite(jobs: ModelJob[], forNeeds: boolean): JobStatus | undefined {
  const symbols = jobs.map(({ status, allowed }) => {
    if (allowed && (status === 'failed' || status === 'canceled')) return 'warning'
    return allowed && status === 'manual' ? 'ignored' : status
  })
  if (symbols.length === 0) return undefined
  if (forNeeds && symbols.some((symbol) => symbol === 'skipped' || symbol === 'ignored')) return 'skipped'
  const row = ROWS.find(([only, words]) => {
    const fits = (symbol: string): boolean => words.split(' ').includes(symbol)
    return only ? symbols.every(fits) : symbols.some(fits)
  })
  return row?.[2] ?? 'failed'
}
