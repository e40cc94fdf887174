import { formatDuration } from '../../../../lib/duration.js'
import { busyTime, type InstanceRecord } from './model/instance.js'
import type { EndedInstance } from './recorder.js'

/** The figures of a machine that ended at `now`, in milliseconds since 1970. */
function figuresOf(record: InstanceRecord, now: number): EndedInstance {
  const { createdAt, readyAt, used } = record
  const usable = readyAt === undefined ? 0 : now - readyAt
  const idleShare = usable > 0 ? Math.min(1, Math.max(0, 1 - busyTime(record, now) / usable)) : undefined
  return { lifetime: Math.max(0, Math.round((now - createdAt) / 1000)), jobs: used, idleShare }
}

/** The line of the log about the end of a machine, with its figures. */
export function describeEnd(record: InstanceRecord, now: number): EndedInstance & { message: string } {
  const figures = figuresOf(record, now)
  const { lifetime, jobs, idleShare } = figures
  const idle =
    idleShare === undefined ? 'never ready' : `idle for ${Math.round(idleShare * 100)} % of its time`
  const reason = record.reason === undefined ? '' : ` (${record.reason})`
  const count = jobs === 1 ? '1 job' : `${jobs} jobs`
  return {
    ...figures,
    message: `A machine is gone after ${formatDuration(lifetime)}: ${count}, ${idle}${reason}`,
  }
}
