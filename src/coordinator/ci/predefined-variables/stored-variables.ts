import type { ContextVariable } from '../../../ci-config/context-variable.js'
import type { SecretBox } from '../../crypto/secret-box.js'
import type { Database } from '../../database/connect.js'

interface StoredVariablesDeps {
  database: Database
  secrets: SecretBox
}

/** Set when the pipeline was created. */
export async function pipelineVariables(
  { database, secrets }: StoredVariablesDeps,
  pipelineId: number,
): Promise<ContextVariable[]> {
  const rows = await database
    .selectFrom('pipeline_variable')
    .select(['key', 'value_encrypted', 'variable_type', 'raw'])
    .where('pipeline_id', '=', pipelineId)
    .orderBy('id')
    .execute()
  return rows.map(({ key, value_encrypted, variable_type, raw }) => ({
    key,
    raw,
    value: secrets.decrypt(value_encrypted),
    file: variable_type === 'file',
  }))
}

/** Set by the user who played the job. */
export function playedVariables(deps: StoredVariablesDeps, jobId: number): Promise<ContextVariable[]> {
  return variablesOfJobs(deps, [jobId], 'played')
}

/**
 * Variables from dotenv reports, in the order of the jobs; the last value of a repeated key counts (CI
 * language, 8.1).
 */
export function dotenvVariables(
  deps: StoredVariablesDeps,
  jobs: readonly { id: number }[],
): Promise<ContextVariable[]> {
  return variablesOfJobs(
    deps,
    jobs.map(({ id }) => id),
    'dotenv',
  )
}

async function variablesOfJobs(
  { database, secrets }: StoredVariablesDeps,
  jobIds: number[],
  source: 'played' | 'dotenv',
): Promise<ContextVariable[]> {
  if (jobIds.length === 0) return []
  const rows = await database
    .selectFrom('job_variable')
    .select(['job_id', 'key', 'value_encrypted'])
    .where('job_id', 'in', jobIds)
    .where('source', '=', source)
    .orderBy('id')
    .execute()
  const places = new Map(jobIds.map((id, place) => [id, place]))
  const placeOf = ({ job_id }: { job_id: number }): number => places.get(job_id) ?? 0
  return rows
    .sort((one, other) => placeOf(one) - placeOf(other))
    .map(({ key, value_encrypted }) => ({ key, value: secrets.decrypt(value_encrypted) }))
}
