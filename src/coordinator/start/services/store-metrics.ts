import { Counter, Histogram, type Registry } from 'prom-client'

import type { OrphanDeps } from '../../ci/storage/orphans/delete-orphans.js'
import type { DatabaseTimings } from '../../database/timings.js'
import type { GitTimings } from '../../hosting/repositories/git-semaphore.js'

const MILLISECONDS_PER_SECOND = 1000

/** The buckets start at 0.1 ms, because a read of SQLite takes less. */
const DATABASE_BUCKETS = [0.0001, 0.0005, 0.002, 0.01, 0.05, 0.25, 1, 5]
const GIT_BUCKETS = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60]

/** How long the database takes. There is no label per query: the many series would cost more than the queries. */
export function databaseMetrics(registry: Registry): DatabaseTimings {
  const statement = new Histogram({
    name: 'switchyard_database_statement_duration_seconds',
    help: 'Time of database statements: kind read = prepared reads outside of transactions, statement = all others',
    labelNames: ['kind'],
    buckets: DATABASE_BUCKETS,
    registers: [registry],
  })
  const wait = new Histogram({
    name: 'switchyard_database_transaction_wait_seconds',
    help: 'Time that transactions waited for a connection, and with SQLite for the transactions before them',
    buckets: DATABASE_BUCKETS,
    registers: [registry],
  })
  const transaction = new Histogram({
    name: 'switchyard_database_transaction_duration_seconds',
    help: 'Time from the begin of a transaction until its commit was on disk',
    buckets: DATABASE_BUCKETS,
    registers: [registry],
  })
  const kinds = { read: { kind: 'read' }, statement: { kind: 'statement' } }
  return {
    statement: (kind, milliseconds) => statement.observe(kinds[kind], milliseconds / MILLISECONDS_PER_SECOND),
    transactionWait: (milliseconds) => wait.observe(milliseconds / MILLISECONDS_PER_SECOND),
    transaction: (milliseconds) => transaction.observe(milliseconds / MILLISECONDS_PER_SECOND),
  }
}

/** How long git takes. */
export function gitMetrics(registry: Registry): GitTimings {
  const wait = new Histogram({
    name: 'switchyard_git_wait_seconds',
    help: 'Time that git waited for a slot, by pool',
    labelNames: ['pool'],
    buckets: GIT_BUCKETS,
    registers: [registry],
  })
  const work = new Histogram({
    name: 'switchyard_git_duration_seconds',
    help: 'Time that git worked, by pool; objects are reads by open processes, which need no slot',
    labelNames: ['pool'],
    buckets: GIT_BUCKETS,
    registers: [registry],
  })
  return {
    waited: (pool, milliseconds) => wait.observe({ pool }, milliseconds / MILLISECONDS_PER_SECOND),
    worked: (pool, milliseconds) => work.observe({ pool }, milliseconds / MILLISECONDS_PER_SECOND),
  }
}

/** Counts what this coordinator has deleted because no row names it. */
export function orphanMetrics(registry: Registry): OrphanDeps['onDeleted'] {
  const deleted = new Counter({
    name: 'switchyard_storage_orphans_deleted_total',
    help: 'Stored files that were deleted because no row named them for a day, as after a kill',
    registers: [registry],
  })
  const bytes = new Counter({
    name: 'switchyard_storage_orphans_deleted_bytes_total',
    help: 'Bytes of the stored files that were deleted because no row named them for a day',
    registers: [registry],
  })
  return ({ size }) => {
    deleted.inc()
    bytes.inc(size)
  }
}
