import type { Transaction as KyselyTransaction } from 'kysely'

import { retry } from '../../lib/retry.js'
import type { Database } from './connect.js'
import { AFTER_LOST_RACE } from './lost-race.js'
import type { Tables } from './tables/database-tables.js'
import { timingsOf } from './timings.js'

/** An open transaction. Query functions accept it wherever they accept the database. */
export type Transaction = KyselyTransaction<Tables>

type CommitHook = () => void

interface LastWork {
  turn: number
  work: () => Promise<void>
}

interface Hooks {
  store: Database
  beforeCommit: LastWork[]
  afterCommit: CommitHook[]
}

const hooksOf = new WeakMap<Transaction, Hooks>()

/**
 * Runs `work` in one transaction: all of its writes are committed or none. Use `afterCommit` inside for
 * actions that must wait until the writes are visible to others, such as waking a runner. If PostgreSQL
 * aborts the transaction because of a deadlock, `work` runs again. So it must have no effects other than
 * those on the database.
 */
export async function inTransaction<T>(
  database: Database,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return retry(() => inOneTransaction(database, work), AFTER_LOST_RACE)
}

async function inOneTransaction<T>(database: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const hooks: Hooks = { store: database, beforeCommit: [], afterCommit: [] }
  const timings = timingsOf(database)
  const asked = performance.now()
  let begun = asked
  const result = await database.transaction().execute(async (tx) => {
    begun = performance.now()
    timings?.transactionWait(begun - asked)
    hooksOf.set(tx, hooks)
    const response = await work(tx)
    await doLastWork(hooks.beforeCommit)
    return response
  })
  timings?.transaction(performance.now() - begun)
  for (const hook of hooks.afterCommit) hook()
  return result
}

/** Calls `hook` once after `tx` has committed; never after a rollback. */
export function afterCommit(tx: Transaction, hook: CommitHook): void {
  requireHooks(tx).afterCommit.push(hook)
}

/**
 * Runs `work` at the end of `tx`, in ascending order of `turn`. Use it for rows that are shared by
 * transactions which otherwise lock different rows. These rows are then locked last and always in the same
 * order, so they cannot cause a deadlock.
 */
export function beforeCommit(tx: Transaction, turn: number, work: () => Promise<void>): void {
  requireHooks(tx).beforeCommit.push({ turn, work })
}

/**
 * The database of `tx`. It is the same object for all transactions, so listeners can be registered for it.
 */
export function storeOf(tx: Transaction): Database {
  return requireHooks(tx).store
}

/** Work may add more work with a higher `turn`. */
async function doLastWork(list: LastWork[]): Promise<void> {
  while (list.length > 0) {
    const next = Math.min(...list.map(({ turn }) => turn))
    const [last] = list.splice(
      list.findIndex(({ turn }) => turn === next),
      1,
    )
    await last?.work()
  }
}

function requireHooks(tx: Transaction): Hooks {
  const hooks = hooksOf.get(tx)
  if (!hooks) throw new TypeError('Hooks require a transaction opened by inTransaction')
  return hooks
}
