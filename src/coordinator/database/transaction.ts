import type { Transaction as KyselyTransaction } from 'kysely'

import { retry } from '../../lib/retry.js'
import type { Database } from './connect.js'
import { isDeadlock } from './lost-race.js'
import type { Tables } from './tables/database-tables.js'

/** A transaction under way. Query functions accept it wherever they accept the store. */
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

/** Milliseconds: whoever else was a link of the deadlock goes on meanwhile. */
const AFTER_DEADLOCK = { attempts: 5, delay: 20, maximumDelay: 500, isWorthRetrying: isDeadlock }

/**
 * Runs `work` in one transaction: all of its writes happen or none. What must only happen once they are visible to
 * others (waking a waiting runner, say) is handed to `afterCommit` inside. PostgreSQL ends one of the transactions that
 * wait for each other: its `work` is done anew, and therefore has no effects but those on the store.
 */
export async function inTransaction<T>(
  database: Database,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return retry(() => inOneTransaction(database, work), AFTER_DEADLOCK)
}

async function inOneTransaction<T>(database: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const hooks: Hooks = { store: database, beforeCommit: [], afterCommit: [] }
  const result = await database.transaction().execute(async (tx) => {
    hooksOf.set(tx, hooks)
    const answer = await work(tx)
    await doLastWork(hooks.beforeCommit)
    return answer
  })
  for (const hook of hooks.afterCommit) hook()
  return result
}

/** Calls `hook` once after `tx` has committed, never when it rolls back. */
export function afterCommit(tx: Transaction, hook: CommitHook): void {
  theHooks(tx).afterCommit.push(hook)
}

/**
 * Does `work` as one of the last things of `tx`, those with a lower `turn` first. It is for rows that are shared by
 * transactions which otherwise lock different ones: locked last, and by all in the same order, they cannot be links of a
 * deadlock.
 */
export function beforeCommit(tx: Transaction, turn: number, work: () => Promise<void>): void {
  theHooks(tx).beforeCommit.push({ turn, work })
}

/** What `tx` is a transaction on: the same object for all of them, by which one may know its listeners. */
export function storeOf(tx: Transaction): Database {
  return theHooks(tx).store
}

/** Work may add more to the list, for a later turn. */
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

function theHooks(tx: Transaction): Hooks {
  const hooks = hooksOf.get(tx)
  if (!hooks) throw new TypeError('Hooks want a transaction that inTransaction opened')
  return hooks
}
