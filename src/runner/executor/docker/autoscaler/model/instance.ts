import { type Static, Type } from 'typebox'

/**
 * The life of a machine. A state is recorded before the action that it names begins:
 *
 *     creating ─▶ starting ─▶ ready ─▶ draining ─▶ deleting ─▶ (no record)
 *         └───────────┴──────────┴────────────────────▲
 *
 * - `creating`: it was or is being created, and may not exist yet
 * - `starting`: it exists, and its engine is not ready yet
 * - `ready`: it gets jobs
 * - `draining`: it gets no more jobs, and is deleted when the last one has ended
 * - `deleting`: it is being deleted, and may still exist
 */
export const InstanceState = Type.Enum(['creating', 'starting', 'ready', 'draining', 'deleting'])
export type InstanceState = Static<typeof InstanceState>

/** Address and files of the connection to the engine of a machine, as `[runners.docker]` names them. */
export const Connection = Type.Object({
  host: Type.String({ minLength: 1 }),
  tls_cert_path: Type.Optional(Type.String()),
  tls_verify: Type.Optional(Type.Boolean()),
  ssh_key_file: Type.Optional(Type.String()),
  /** Whether containers are in networks that this machine does not reach, although the socket is here. */
  separate_networks: Type.Optional(Type.Boolean()),
})
export type Connection = Static<typeof Connection>

/** What the ledger stores of a machine. Times are in milliseconds since 1970. */
export const InstanceRecord = Type.Object({
  name: Type.String({ pattern: '^[a-z0-9-]+$' }),
  state: InstanceState,
  createdAt: Type.Integer(),
  /** Since when it has its state. */
  since: Type.Integer(),
  /** Absent until the engine was ready for the first time. */
  readyAt: Type.Optional(Type.Integer()),
  /** Why it drains or is deleted. */
  reason: Type.Optional(Type.String()),
  /** What the plugin wants to know of the machine in later calls, such as its ID in a cloud. Any JSON. */
  instance: Type.Optional(Type.Unknown()),
  /** Absent until the machine is connected. */
  connection: Type.Optional(Connection),
  /** IDs of the jobs that run there. */
  jobs: Type.Array(Type.Integer()),
  /** Number of jobs that ran or run there. */
  used: Type.Integer(),
  /** Since when it has no job, or has at least one. */
  changedAt: Type.Integer(),
  /** Milliseconds during which it had at least one job, before `changedAt`. */
  busyFor: Type.Integer(),
})
export type InstanceRecord = Static<typeof InstanceRecord>

export function newRecord(name: string, now: number): InstanceRecord {
  return {
    name,
    state: 'creating',
    createdAt: now,
    since: now,
    jobs: [],
    used: 0,
    changedAt: now,
    busyFor: 0,
  }
}

export function inState(
  record: InstanceRecord,
  state: InstanceState,
  now: number,
  reason?: string,
): InstanceRecord {
  return { ...record, state, since: now, ...(reason === undefined ? {} : { reason }) }
}

/** Records that a machine gets a job. One that it already has is not counted again. */
export function withJob(record: InstanceRecord, jobId: number, now: number): InstanceRecord {
  if (record.jobs.includes(jobId)) return record
  const wasIdle = record.jobs.length === 0
  const jobs = [...record.jobs, jobId]
  return { ...record, jobs, used: record.used + 1, ...(wasIdle ? { changedAt: now } : {}) }
}

/** Records that a job of the machine ended. */
export function withoutJob(record: InstanceRecord, jobId: number, now: number): InstanceRecord {
  if (!record.jobs.includes(jobId)) return record
  const jobs = record.jobs.filter((id) => id !== jobId)
  if (jobs.length > 0) return { ...record, jobs }
  return { ...record, jobs, busyFor: busyTime(record, now), changedAt: now }
}

/** Milliseconds during which the machine had at least one job. */
export function busyTime({ jobs, busyFor, changedAt }: InstanceRecord, now: number): number {
  return jobs.length > 0 ? busyFor + Math.max(0, now - changedAt) : busyFor
}
