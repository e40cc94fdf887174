import type { Transaction as KyselyTransaction } from 'kysely'

import type { Tables } from '../tables.js'
import type { Database } from './connect.js'

/** A transaction under way. Query functions accept it wherever they accept the store. */
export type Transaction = KyselyTransaction<Tables>

type CommitHook = () => void
type LastWork = () => Promise<void>

interface Hooks {
  beforeCommit: LastWork[]
  afterCommit: CommitHook[]
}

const hooksOf = new WeakMap<Transaction, Hooks>()

/**
 * Runs `work` in one transaction: all of its writes happen or none. What must only happen once they are visible to
 * others (waking a waiting runner, say) is handed to `afterCommit` inside.
 */
export async function inTransaction<T>(
  database: Database,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const hooks: Hooks = { beforeCommit: [], afterCommit: [] }
  const result = await database.transaction().execute(async (tx) => {
    hooksOf.set(tx, hooks)
    const answer = await work(tx)
    for (let last = hooks.beforeCommit.shift(); last; last = hooks.beforeCommit.shift()) await last()
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
 * Does `work` as the last of `tx`, when everything else is locked and written. It is for rows that transactions share which
 * otherwise lock different ones: locked last, they cannot be a link of a deadlock.
 */
export function beforeCommit(tx: Transaction, work: LastWork): void {
  theHooks(tx).beforeCommit.push(work)
}

function theHooks(tx: Transaction): Hooks {
  const hooks = hooksOf.get(tx)
  if (!hooks) throw new TypeError('Hooks want a transaction that inTransaction opened')
  return hooks
}
