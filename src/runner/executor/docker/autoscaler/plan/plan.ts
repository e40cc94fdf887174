import { MINUTE } from '../../../../../lib/time-units.js'
import type { InstanceRecord } from '../model/instance.js'
import type { AutoscalerPolicy, AutoscalerSettings } from '../model/settings.js'
import { idleTarget } from '../policy/active-policy.js'

export type PlanLimits = Pick<
  AutoscalerSettings,
  | 'capacityPerInstance'
  | 'maxUseCount'
  | 'maxInstances'
  | 'maxCreatePerMinute'
  | 'instanceReadyTimeout'
  | 'failureThreshold'
>

/** A machine as the plan sees it. */
export interface PlannedInstance {
  record: InstanceRecord
  /** Whether the creation was begun by an earlier process, so that nobody knows whether it will succeed. */
  isUnconfirmed: boolean
  /** Consecutive checks of a ready machine that failed. */
  failures: number
}

export interface PlanInput {
  instances: readonly PlannedInstance[]
  /** Jobs that wait for a machine. */
  waiting: number
  policy: AutoscalerPolicy
  limits: PlanLimits
  /** Times of the creations of the last minute, also of machines that are gone. */
  created: readonly number[]
  /** No machine is created before this time, because earlier attempts failed. */
  notBefore: number
  /** Milliseconds since 1970. */
  now: number
}

interface Removal {
  name: string
  reason: string
}

export interface Plan {
  /** Number of machines to create. */
  create: number
  /** Ready machines that get no more jobs. */
  drain: Removal[]
  /** Machines without jobs that are deleted. */
  delete: Removal[]
}

/**
 * What is to be done with the machines. The plan is computed from what is, not from what was: it may be lost or applied
 * in part, and the next one completes it. A machine that has jobs is never deleted.
 */
export function plan(input: PlanInput): Plan {
  const drain = [...spent(input), ...unhealthy(input)]
  const drained = new Set(drain.map(({ name }) => name))
  const supply = supplyOf(
    input.instances.filter(({ record }) => !drained.has(record.name)),
    input.limits,
  )
  const wanted = input.waiting + idleTarget(input.policy, runningJobs(input.instances))
  const surplus = idleSurplus(input, drained, supply - wanted)
  return {
    create: creations(input, wanted - supply),
    drain: [...drain, ...surplus],
    delete: [...unusable(input), ...drainedOut(input)],
  }
}

/** Jobs that a machine can get in addition to those that it has. */
function roomOf(
  { record: { jobs, used } }: Pick<PlannedInstance, 'record'>,
  { capacityPerInstance, maxUseCount }: Pick<PlanLimits, 'capacityPerInstance' | 'maxUseCount'>,
): number {
  return Math.max(0, Math.min(capacityPerInstance - jobs.length, maxUseCount - used))
}

/** Jobs that could start now or soon. Unconfirmed machines are no supply: they may never come. */
function supplyOf(instances: readonly PlannedInstance[], limits: PlanLimits): number {
  return instances
    .filter((instance) => isComing(instance) || isServing(instance))
    .reduce((sum, instance) => sum + roomOf(instance, limits), 0)
}

function isComing({ record: { state }, isUnconfirmed }: PlannedInstance): boolean {
  return state === 'starting' || (state === 'creating' && !isUnconfirmed)
}

function isServing({ record: { state }, failures }: PlannedInstance): boolean {
  return state === 'ready' && failures === 0
}

function runningJobs(instances: readonly PlannedInstance[]): number {
  return instances.reduce((sum, { record }) => sum + record.jobs.length, 0)
}

/** Number of machines that are created for `missing` jobs. */
function creations(input: PlanInput, missing: number): number {
  const { limits, instances, created, notBefore, now } = input
  if (missing <= 0 || now < notBefore) return 0
  const perInstance = Math.min(limits.capacityPerInstance, limits.maxUseCount)
  const recent = created.filter((time) => time > now - MINUTE).length
  const allowed = Math.min(limits.maxInstances - instances.length, limits.maxCreatePerMinute - recent)
  return Math.max(0, Math.min(Math.ceil(missing / perInstance), allowed))
}

function spent({ instances, limits }: PlanInput): Removal[] {
  return instances
    .filter(({ record }) => record.state === 'ready' && record.used >= limits.maxUseCount)
    .map(({ record }) => ({ name: record.name, reason: 'it ran max_use_count jobs' }))
}

function unhealthy({ instances, limits }: PlanInput): Removal[] {
  return instances
    .filter(
      ({ record, failures }) =>
        record.state === 'ready' && failures >= limits.failureThreshold && record.used < limits.maxUseCount,
    )
    .map(({ record }) => ({ name: record.name, reason: 'its engine does not respond' }))
}

/**
 * Ready machines without jobs that no target needs: those whose idle time is over, and those above `maxInstances`, which
 * a change of the settings may have lowered. `surplus` is the capacity beyond the targets.
 */
function idleSurplus(
  { instances, limits, policy, now }: PlanInput,
  drained: ReadonlySet<string>,
  surplus: number,
): Removal[] {
  const idle = instances
    .filter((instance) => isServing(instance) && !drained.has(instance.record.name))
    .filter(({ record }) => record.jobs.length === 0)
    .toSorted((one, other) => one.record.changedAt - other.record.changedAt)
  const removals: Removal[] = []
  let left = surplus
  const leaving = instances.filter(({ record }) => isLeaving(record) || drained.has(record.name)).length
  let excess = instances.length - leaving - limits.maxInstances
  for (const instance of idle) {
    const { name, changedAt } = instance.record
    const room = roomOf(instance, limits)
    const isOver = now - changedAt >= policy.idleTime && left >= room
    if (excess <= 0 && !isOver) continue
    removals.push({
      name,
      reason: excess > 0 ? 'there are more than max_instances' : 'it was idle for idle_time',
    })
    left -= room
    excess--
  }
  return removals
}

function isLeaving({ state }: InstanceRecord): boolean {
  return state === 'draining' || state === 'deleting'
}

/** Machines that did not become ready in time. */
function unusable({ instances, limits, now }: PlanInput): Removal[] {
  return instances
    .filter(
      ({ record: { state, createdAt } }) =>
        (state === 'creating' || state === 'starting') && now - createdAt >= limits.instanceReadyTimeout,
    )
    .map(({ record }) => ({ name: record.name, reason: 'it was not ready within instance_ready_timeout' }))
}

function drainedOut({ instances }: PlanInput): Removal[] {
  return instances
    .filter(({ record: { state, jobs } }) => state === 'draining' && jobs.length === 0)
    .map(({ record: { name, reason = '' } }) => ({ name, reason }))
}

/**
 * Milliseconds until the plan may change without an event: the end of an idle time, of a minute of creations, or of the
 * pause after failures. Policies change with the minute. At most a minute.
 */
export function untilNextPlan({ instances, policy, limits, created, notBefore, now }: PlanInput): number {
  const times = [
    (Math.floor(now / MINUTE) + 1) * MINUTE,
    notBefore,
    ...created.map((time) => time + MINUTE),
    ...instances.flatMap(({ record: { state, jobs, changedAt, createdAt } }) => {
      if (state === 'ready' && jobs.length === 0) return [changedAt + policy.idleTime]
      return state === 'creating' || state === 'starting' ? [createdAt + limits.instanceReadyTimeout] : []
    }),
  ]
  return Math.min(...times.filter((time) => time > now)) - now
}
