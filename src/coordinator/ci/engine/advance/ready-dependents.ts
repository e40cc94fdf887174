import type { JobWhen } from '../../../../ci-config/plan.js'
import type { JobStatus } from '../../../database/tables/job-columns.js'
import { isCompleted } from '../job-status.js'
import { compositeStatus } from './composite-status.js'
import { runsAfter } from './transitions.js'

/** A created job that is scheduled by its needs. */
export interface Dependent {
  id: number
  when: JobWhen
  /** It deploys, or waits for a resource. */
  isSpecial: boolean
  /** The jobs of the pipeline that it needs. */
  needed: { status: JobStatus; allowFailure: boolean }[]
}

/**
 * The IDs of the jobs that become pending because all that they need is over. Undefined if more than that happens, so
 * that `nextTransitions` must decide with the whole graph: a job is skipped, which concerns those that need it, or one
 * waits for a user, a time or a resource, or deploys.
 */
export function readyDependents(dependents: readonly Dependent[]): number[] | undefined {
  const ready: number[] = []
  for (const { id, when, isSpecial, needed } of dependents) {
    const previous = compositeStatus(needed, { forNeeds: true }) ?? 'success'
    if (!isCompleted(previous)) continue
    const isPlain = !isSpecial && when !== 'manual' && when !== 'delayed'
    if (!isPlain || !runsAfter({ when, schedulingType: 'dag' }, previous)) return undefined
    ready.push(id)
  }
  return ready
}
