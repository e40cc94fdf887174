import type { Transaction as KyselyTransaction } from 'kysely'

import type { Tables } from '../tables.js'
import type { Database } from './connect.js'

/** A transaction under way. Query functions accept it wherever they accept the store. */
export type Transaction = KyselyTransaction<Tables>

type CommitHook = () => void

const commitHooks = new WeakMap<Transaction, CommitHook[]>()

/**
 * Runs `work` in one transaction: all of its writes happen or none. What must only happen once they are visible to
 * others (waking a waiting runner, say) is handed to `afterCommit` inside.
 */
export async function inTransaction<T>(
  database: Database,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const hooks: CommitHook[] = []
  const result = await database.transaction().execute(async (tx) => {
    commitHooks.set(tx, hooks)
    return work(tx)
  })
  for (const hook of hooks) hook()
  return result
}

/** Calls `hook` once after `tx` has committed, never when it rolls back. */
export function afterCommit(tx: Transaction, hook: CommitHook): void {
  const hooks = commitHooks.get(tx)
  if (!hooks) throw new TypeError('afterCommit wants a transaction that inTransaction opened')
  hooks.push(hook)
}
