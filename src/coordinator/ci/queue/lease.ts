import { type Insertable, sql } from 'kysely'

import { Turns } from '../../../lib/turns.js'
import type { Database, DialectName } from '../../database/connect.js'
import { isInJson, jsonRows } from '../../database/json-rows.js'
import { type Placeholder, PreparedStatement } from '../../database/prepared-statement.js'
import { preparedWrite } from '../../database/prepared-write.js'
import type { LeaseTable } from '../../database/tables/queue.js'
import type { Transaction } from '../../database/transaction.js'
import type { RunnerProfile } from './match.js'
import type { PartitionHead } from './partition.js'

/**
 * A job has a lease from its claim until it ends (architecture, decision 7):
 *
 *   claimed ── started, served ── first patch or update ──> contacted ── every further one ──> renewed
 *      │                                                          │
 *      └─ silent for firstContactSeconds                          └─ silent for seconds: the job has failed
 *         back to the queue: it had not started
 *
 * A claim may be committed before the job is started. Until then the job is pending, with a lease and without a place in
 * the queue. If its coordinator is killed there, the lease expires as that of a job whose response was lost.
 */
export interface LeaseSettings {
  /** Time from the claim to the first contact. */
  firstContactSeconds: number
  /** Time from one contact to the next. */
  seconds: number
}

/** The fraction of a lease that must pass before it is renewed, to avoid a write for every trace patch. */
const RENEW_AFTER = 1 / 30

export interface LeaseHolder {
  jobId: number
  projectId: number
  runnerId: number
  isInstanceRunner: boolean
}

/** The lease of a job that the runner takes. */
export function leaseHolder(
  { job_id, project_id }: Pick<PartitionHead, 'job_id' | 'project_id'>,
  { runnerId, type }: Pick<RunnerProfile, 'runnerId' | 'type'>,
): LeaseHolder {
  return {
    jobId: job_id,
    projectId: project_id,
    runnerId,
    isInstanceRunner: type === 'instance_type',
  }
}

/** When a lease that begins now ends, unless the runner makes contact. In milliseconds since 1970. */
export function uncontactedUntil({ firstContactSeconds }: LeaseSettings): number {
  return Date.now() + firstContactSeconds * 1000
}

export async function startLeases(
  tx: Transaction,
  holders: readonly LeaseHolder[],
  expiresAt: number,
): Promise<void> {
  if (holders.length === 0) return
  await insertLeases(tx, { leases: JSON.stringify(holders.map((holder) => toLease(holder, expiresAt))) })
}

export const LEASE_COLUMNS = {
  job_id: 'bigint',
  project_id: 'bigint',
  runner_id: 'bigint',
  instance_runner: 'boolean',
  expires_at: 'bigint',
  heard_from: 'boolean',
} as const

export const LEASE_COLUMN_NAMES = Object.keys(LEASE_COLUMNS) as (keyof typeof LEASE_COLUMNS)[] // the keys of an object are strings

const insertLeases = preparedWrite((database, { leases }: { leases: Placeholder<string> }, dialect) =>
  database
    .insertInto('lease')
    .columns(LEASE_COLUMN_NAMES)
    .expression((query) =>
      query
        .selectFrom(jsonRows<Insertable<LeaseTable>>(dialect, LEASE_COLUMNS, leases).as('given'))
        .select(LEASE_COLUMN_NAMES)
        // Without a condition, SQLite reads the conflict clause as part of a join.
        .where(sql.lit(true)),
    )
    // A job that another claimer holds is not started: `startClaimed` looks at the runner of the lease.
    .onConflict((conflict) => conflict.doNothing()),
)

/** The row of a lease whose runner has not made contact yet. */
export function toLease(holder: LeaseHolder, expiresAt: number): Insertable<LeaseTable> {
  return {
    job_id: holder.jobId,
    project_id: holder.projectId,
    runner_id: holder.runnerId,
    instance_runner: holder.isInstanceRunner,
    expires_at: expiresAt,
    heard_from: false,
  }
}

/**
 * Renews the lease after a call of the runner. Returns until when further calls need not renew it, in milliseconds since
 * 1970; undefined if the lease has ended.
 */
export async function renewLease(
  database: Database,
  { seconds }: LeaseSettings,
  jobId: number,
  now: number,
): Promise<number | undefined> {
  const full = now + seconds * 1000
  const isRenewed = await renewalsOf(database).ask('any', { jobId, full })
  return isRenewed ? now + seconds * 1000 * RENEW_AFTER : undefined
}

interface Renewal {
  jobId: number
  /** When the lease then expires, in milliseconds since 1970. */
  full: number
}

type Renewals = Turns<'any', Renewal, boolean>

const knownRenewals = new WeakMap<Database, Renewals>()

/** Jobs that begin at the same time also make their first contacts at the same time, and share a commit. */
function renewalsOf(database: Database): Renewals {
  const known = knownRenewals.get(database)
  if (known) return known
  const renewals: Renewals = new Turns(async (_key, take) => {
    const asked = take()
    const full = Math.max(...asked.map((renewal) => renewal.full))
    const { rows } = await renewLeases(database, {
      jobIds: JSON.stringify(asked.map(({ jobId }) => jobId)),
      full,
    })
    const renewed = new Set(rows.map(({ job_id }) => job_id))
    return asked.map(({ jobId }) => renewed.has(jobId))
  })
  knownRenewals.set(database, renewals)
  return renewals
}

const renewLeases = preparedWrite(
  (database, { jobIds, full }: { jobIds: Placeholder<string>; full: Placeholder<number> }, dialect) =>
    database
      .updateTable('lease')
      .set({ expires_at: full, heard_from: true })
      .where(isInJson(dialect, sql.ref('job_id'), jobIds))
      .returning('job_id'),
)

export async function endLeases(tx: Transaction, jobIds: readonly number[]): Promise<void> {
  await tx.executeQuery(leaseEnds.with(tx, { jobIds: JSON.stringify(jobIds) }))
}

/** For `executeTogether`; `jobIds` is a JSON array. */
export const leaseEnds = new PreparedStatement(
  (database, { jobIds }: { jobIds: Placeholder<string> }, dialect) =>
    database.deleteFrom('lease').where(isInJson(dialect, sql.ref('job_id'), jobIds)),
)

/** Ends a lease only if its runner never made contact. Returns whether it ended. */
export async function endUncontactedLease(
  tx: Transaction,
  jobId: number,
  { runnerId }: { runnerId?: number | undefined } = {},
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('lease')
    .where('job_id', '=', jobId)
    .where('heard_from', '=', false)
    .$if(runnerId !== undefined, (leases) => leases.where('runner_id', '=', runnerId as number))
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Ends a lease if it has expired by `now` and was not renewed. Returns which kind of lease it was. */
export async function endExpiredLease(
  tx: Transaction,
  jobId: number,
  now: number,
): Promise<'uncontacted' | 'contacted' | undefined> {
  const expired = tx.deleteFrom('lease').where('job_id', '=', jobId).where('expires_at', '<=', now)
  const uncontacted = await expired.where('heard_from', '=', false).executeTakeFirst()
  if (uncontacted.numDeletedRows === 1n) return 'uncontacted'
  const contacted = await expired.executeTakeFirst()
  return contacted.numDeletedRows === 1n ? 'contacted' : undefined
}

/**
 * Extends every lease to at least its full duration from now: while no coordinator ran (`presence.ts`),
 * runners could not renew. Skips leases that another coordinator is writing.
 */
export async function extendLeases(
  database: Database,
  dialect: DialectName,
  { firstContactSeconds, seconds }: LeaseSettings,
  now = Date.now(),
): Promise<void> {
  await extendTo(database, dialect, { heardFrom: false, full: now + firstContactSeconds * 1000 })
  await extendTo(database, dialect, { heardFrom: true, full: now + seconds * 1000 })
}

async function extendTo(
  database: Database,
  dialect: DialectName,
  { heardFrom, full }: { heardFrom: boolean; full: number },
): Promise<void> {
  await database
    .updateTable('lease')
    .set({ expires_at: full })
    .where('job_id', 'in', (query) =>
      query
        .selectFrom('lease')
        .select('job_id')
        .where('heard_from', '=', heardFrom)
        .where('expires_at', '<', full)
        .$if(dialect === 'postgres', (leases) => leases.forUpdate().skipLocked()),
    )
    .execute()
}
