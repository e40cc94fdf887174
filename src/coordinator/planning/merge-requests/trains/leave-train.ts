import type { Database } from '../../../database/connect.js'
import { inTransaction, type Transaction } from '../../../database/transaction.js'
import { lockMergeRequest, type MergeRequestRow } from '../../stores/merge-request-store.js'
import { type CarRow, updateActiveCar, updateTest } from '../../stores/merge-train-store.js'
import { insertTodos } from '../../stores/todo-store.js'
import { endWait } from '../merge/auto-merge.js'
import { checkCar } from './why-it-leaves.js'

/** What a car of the train does not pay for: `left` is not its own fault, `dropped` is. */
type Leaving = { state: 'left' | 'dropped'; because: string }

/** Takes a merge request that waits out of its train, with a note and to-do items; `tx` has locked it. */
async function leave(
  tx: Transaction,
  car: CarRow,
  row: MergeRequestRow,
  { state, because }: Leaving,
): Promise<void> {
  if (!(await updateActiveCar(tx, car.id, { state }))) return
  const reason = `Removed from the merge train: ${because}.`
  await endWait(tx, { id: row.merge_user_id ?? row.author_id }, row, reason, because)
  const userIds = [...new Set([row.author_id, ...(car.user_id === null ? [] : [car.user_id])])]
  const about = { table: 'merge_request', id: row.id, project_id: row.project_id } as const
  await insertTodos(tx, about, { userIds, authorId: row.author_id, action: 'merge_train_removed' })
}

/**
 * Takes the car out of the train if its merge request must not be merged by it any more. Returns whether a merge is under
 * way, for which the train waits.
 */
export async function refreshCar(database: Database, car: CarRow): Promise<boolean> {
  return inTransaction(database, async (tx) => {
    const row = await lockMergeRequest(tx, car.merge_request_id)
    if (!row) return false
    const check = await checkCar(tx, car, row)
    if (check.kind === 'over') await updateActiveCar(tx, car.id, endOf(check.state, row))
    if (check.kind === 'leaves') await leave(tx, car, row, { state: 'left', because: check.because })
    return check.kind === 'merging'
  })
}

function endOf(state: 'merged' | 'skip_merged' | 'left', { merged_at }: MergeRequestRow) {
  return { state, ...(state !== 'left' && { merged_at }) }
}

/** Drops the first car of the train, and gives up all tests, which contain it. False if it must not be merged anyway. */
export async function dropCar(
  database: Database,
  car: CarRow,
  tests: readonly { id: number }[],
  because: string,
): Promise<boolean> {
  return inTransaction(database, async (tx) => {
    const row = await lockMergeRequest(tx, car.merge_request_id)
    if (!row || (await checkCar(tx, car, row)).kind !== 'stays') return false
    await leave(tx, car, row, { state: 'dropped', because })
    for (const { id } of tests) await updateTest(tx, id, { state: 'spent' })
    return true
  })
}
