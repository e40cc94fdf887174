import { sql } from 'kysely'

import type { ContextVariable } from '../../../ci-config/context-variable.js'
import { groupBy } from '../../../lib/group-by.js'
import type { SecretBox } from '../../crypto/secret-box.js'
import type { Database } from '../../database/connect.js'
import { isInJson } from '../../database/json-rows.js'
import { keyedRowsRead } from '../../database/keyed-read.js'
import { preparedRead } from '../../database/prepared-read.js'
import type { Placeholder } from '../../database/prepared-statement.js'

interface StoredVariablesDeps {
  database: Database
  secrets: SecretBox
}

const variablesOfPipeline = keyedRowsRead('pipeline_id', (database) =>
  database
    .selectFrom('pipeline_variable')
    .select(['pipeline_id', 'key', 'value_encrypted', 'variable_type', 'raw'])
    .orderBy('id'),
)

/** Set when the pipeline was created. */
export async function pipelineVariables(
  { database, secrets }: StoredVariablesDeps,
  pipelineId: number,
): Promise<ContextVariable[]> {
  const rows = await variablesOfPipeline(database, pipelineId)
  return rows.map(({ key, value_encrypted, variable_type, raw }) => ({
    key,
    raw,
    value: secrets.decrypt(value_encrypted),
    file: variable_type === 'file',
  }))
}

const variablesOfPlayedJobs = variablesOfJobs('played')
const variablesOfReports = variablesOfJobs('dotenv')

function variablesOfJobs(source: 'played' | 'dotenv') {
  return preparedRead((database, { jobIds }: { jobIds: Placeholder<string> }, dialect) =>
    database
      .selectFrom('job_variable')
      .select(['job_id', 'key', 'value_encrypted'])
      .where(isInJson(dialect, sql.ref('job_id'), jobIds))
      .where('source', '=', source)
      .orderBy('id'),
  )
}

/** Set by the users who played the jobs, by the ID of the job. */
export async function playedVariables(
  { database, secrets }: StoredVariablesDeps,
  jobIds: readonly number[],
): Promise<Map<number, ContextVariable[]>> {
  const rows = await variablesOfPlayedJobs(database, { jobIds: JSON.stringify(jobIds) })
  const variables = new Map<number, ContextVariable[]>()
  for (const [jobId, some] of groupBy(rows, ({ job_id }) => job_id))
    variables.set(
      jobId,
      some.map(({ key, value_encrypted }) => ({ key, value: secrets.decrypt(value_encrypted) })),
    )
  return variables
}

/**
 * Variables from dotenv reports, in the order of the jobs; the last value of a repeated key counts (CI
 * language, 8.1).
 */
export async function dotenvVariables(
  { database, secrets }: StoredVariablesDeps,
  jobs: readonly { id: number }[],
): Promise<ContextVariable[]> {
  if (jobs.length === 0) return []
  const jobIds = jobs.map(({ id }) => id)
  const rows = await variablesOfReports(database, { jobIds: JSON.stringify(jobIds) })
  const ranks = new Map(jobIds.map((id, rank) => [id, rank]))
  const rankOf = ({ job_id }: { job_id: number }): number => ranks.get(job_id) ?? 0
  return rows
    .sort((one, other) => rankOf(one) - rankOf(other))
    .map(({ key, value_encrypted }) => ({ key, value: secrets.decrypt(value_encrypted) }))
}
