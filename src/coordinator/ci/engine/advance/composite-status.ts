import type { JobStatus } from '../../../database/tables/job-columns.js'
import type { CompositeStatus } from '../../../database/tables/pipelines.js'

export interface JobState {
  status: JobStatus
  allowFailure: boolean
}

/** The contribution of a job to the status of a group (CI language, 11.1). */
export type StatusSymbol = JobStatus | 'warning' | 'ignored'

export interface CompositeOptions {
  /** For the needs of a job: one skipped or ignored job makes the result skipped. */
  forNeeds?: boolean
}

export function statusSymbol({ status, allowFailure }: JobState): StatusSymbol {
  if (!allowFailure) return status
  if (status === 'failed' || status === 'canceled') return 'warning'
  return status === 'manual' ? 'ignored' : status
}

/** The status of a set of jobs without retried ones; undefined for no jobs (CI language, 11.1). */
export function compositeStatus(
  jobs: Iterable<JobState>,
  options: CompositeOptions = {},
): CompositeStatus | undefined {
  const symbols = new Set<StatusSymbol>()
  for (const job of jobs) symbols.add(statusSymbol(job))
  return compositeOfSymbols(symbols, options)
}

/** The first matching rule applies. */
export function compositeOfSymbols(
  symbols: ReadonlySet<StatusSymbol>,
  { forNeeds = false }: CompositeOptions = {},
): CompositeStatus | undefined {
  const any = (...some: StatusSymbol[]): boolean => some.some((symbol) => symbols.has(symbol))
  const only = (...allowed: StatusSymbol[]): boolean =>
    [...symbols].every((symbol) => allowed.includes(symbol))

  if (symbols.size === 0) return undefined
  if (forNeeds && any('skipped', 'ignored')) return 'skipped'
  if (only('skipped', 'ignored')) return 'skipped'
  if (only('success', 'skipped', 'warning', 'ignored')) return 'success'
  if (only('created', 'warning', 'ignored')) return 'created'
  if (only('preparing', 'warning', 'ignored')) return 'preparing'
  if (only('canceled', 'success', 'skipped', 'warning', 'ignored')) return 'canceled'
  if (only('pending', 'created', 'skipped', 'warning', 'ignored')) return 'pending'
  if (any('running', 'pending')) return 'running'
  if (any('waiting_for_resource')) return 'waiting_for_resource'
  if (any('waiting_for_callback')) return 'waiting_for_callback'
  if (any('manual')) return 'manual'
  if (any('scheduled')) return 'scheduled'
  if (any('preparing')) return 'preparing'
  if (any('created')) return 'running'
  if (any('canceling')) return 'canceling'
  return 'failed'
}
