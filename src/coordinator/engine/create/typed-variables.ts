import type { Transaction } from '../../database/transaction.js'
import type { EngineDeps } from '../engine-deps.js'
import { deleteJobVariables, insertJobVariables } from '../job-store.js'

/** A variable that was typed by whoever started a job. */
export interface TypedVariable {
  key: string
  value: string
}

/** Gives a job these variables instead of those that it took over from an earlier attempt; none = it keeps them. */
export async function storeTypedVariables(
  deps: Pick<EngineDeps, 'secrets'>,
  tx: Transaction,
  jobId: number,
  variables: TypedVariable[],
): Promise<void> {
  if (variables.length === 0) return
  await deleteJobVariables(tx, jobId)
  await insertJobVariables(
    tx,
    variables.map(({ key, value }) => ({ job_id: jobId, key, value_encrypted: deps.secrets.encrypt(value) })),
  )
}
