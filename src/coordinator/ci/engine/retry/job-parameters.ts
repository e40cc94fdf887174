import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import type { Transaction } from '../../../database/transaction.js'
import type { EngineDeps } from '../engine-deps.js'
import { storeJobOptions } from '../job-store.js'
import { deleteJobVariables, insertJobVariables } from '../job-variable-store.js'

/** Values that a user sets when starting a job. Each kind replaces the values of an earlier attempt. */
export interface JobParameters {
  /** None = keeps the values of the earlier attempt. */
  variables?: { key: string; value: string }[]
  /** Validated input texts by name (CI language, 5.4); other inputs keep their values. */
  inputs?: ReadonlyMap<string, string>
}

/** Stores the values that were set for a job. `job` was read in `tx`. */
export async function setJobParameters(
  deps: Pick<EngineDeps, 'secrets'>,
  tx: Transaction,
  job: JobRow,
  { variables = [], inputs = new Map() }: JobParameters,
): Promise<void> {
  if (variables.length > 0) await replaceVariables(deps, tx, job.id, variables)
  if (inputs.size > 0) await storeJobOptions(tx, job.id, withTexts(job.options, inputs))
}

async function replaceVariables(
  { secrets }: Pick<EngineDeps, 'secrets'>,
  tx: Transaction,
  jobId: number,
  variables: NonNullable<JobParameters['variables']>,
): Promise<void> {
  await deleteJobVariables(tx, jobId)
  await insertJobVariables(
    tx,
    variables.map(({ key, value }) => ({ job_id: jobId, key, value_encrypted: secrets.encrypt(value) })),
  )
}

function withTexts(options: JobRow['options'], texts: ReadonlyMap<string, string>): JobRow['options'] {
  const inputs = options.inputs?.map((input) => ({ ...input, text: texts.get(input.name) ?? input.text }))
  return { ...options, ...(inputs && { inputs }) }
}
