import type { Insertable } from 'kysely'

import type { Database } from '../../database/connect.js'
import type { JobVariableTable } from '../../database/tables/pipelines.js'
import type { Transaction } from '../../database/transaction.js'
import { markOutputs } from './job-store.js'

export async function deleteJobVariables(tx: Transaction, jobId: number): Promise<void> {
  await tx.deleteFrom('job_variable').where('job_id', '=', jobId).execute()
}

export async function insertJobVariables(
  tx: Transaction,
  variables: Insertable<JobVariableTable>[],
): Promise<void> {
  if (variables.length > 0) await tx.insertInto('job_variable').values(variables).execute()
}

/** Variables that the user set when the job was played. */
export function findJobVariables(
  database: Database,
  jobId: number,
): Promise<{ key: string; value_encrypted: string }[]> {
  return database
    .selectFrom('job_variable')
    .select(['key', 'value_encrypted'])
    .where('job_id', '=', jobId)
    .where('source', '=', 'played')
    .execute()
}

/** Replaces the dotenv variables that the job provides to jobs that fetch its artifacts. */
export async function storeDotenvVariables(
  tx: Transaction,
  jobId: number,
  variables: { key: string; value_encrypted: string }[],
): Promise<void> {
  await deleteDotenvVariables(tx, jobId)
  if (variables.length > 0) await markOutputs(tx, jobId)
  await insertJobVariables(
    tx,
    variables.map((variable) => ({ ...variable, job_id: jobId, source: 'dotenv' as const })),
  )
}

export async function deleteDotenvVariables(database: Database, jobId: number): Promise<void> {
  await database
    .deleteFrom('job_variable')
    .where('job_id', '=', jobId)
    .where('source', '=', 'dotenv')
    .execute()
}
