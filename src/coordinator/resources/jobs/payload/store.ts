import type { Database } from '../../../database/connect.js'
import type { RunnerRow, UserRow } from '../../../engine/rows.js'

export function pipelineVariables(database: Database, pipelineId: number) {
  return database
    .selectFrom('pipeline_variable')
    .select(['key', 'value_encrypted', 'variable_type', 'raw'])
    .where('pipeline_id', '=', pipelineId)
    .orderBy('id')
    .execute()
}

export function playedVariables(database: Database, jobId: number) {
  return variablesOfJobs(database, [jobId], 'played')
}

/** What the jobs have left in dotenv reports. */
export function dotenvVariables(database: Database, jobIds: number[]) {
  return variablesOfJobs(database, jobIds, 'dotenv')
}

async function variablesOfJobs(database: Database, jobIds: number[], source: 'played' | 'dotenv') {
  if (jobIds.length === 0) return []
  return database
    .selectFrom('job_variable')
    .select(['job_id', 'key', 'value_encrypted'])
    .where('job_id', 'in', jobIds)
    .where('source', '=', source)
    .orderBy('id')
    .execute()
}

export function findUser(database: Database, id: number): Promise<UserRow> {
  return database.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

export function findRunner(database: Database, id: number): Promise<RunnerRow | undefined> {
  return database.selectFrom('runner').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function findNamespaceId(database: Database, fullPath: string): Promise<number | undefined> {
  const row = await database
    .selectFrom('namespace')
    .select('id')
    .where('full_path', '=', fullPath)
    .executeTakeFirst()
  return row?.id
}

/** Leases tell it without a look at the jobs. */
export async function countRunningOnInstanceRunners(database: Database, projectId: number): Promise<number> {
  const { count } = await database
    .selectFrom('lease')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('instance_runner', '=', true)
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow()
  return count
}

/** `scheduleId` null = no schedule caused the pipeline. */
export async function scheduleDescription(
  database: Database,
  scheduleId: number | null,
): Promise<string | undefined> {
  if (scheduleId === null) return undefined
  const schedule = await database
    .selectFrom('pipeline_schedule')
    .select('description')
    .where('id', '=', scheduleId)
    .executeTakeFirst()
  return schedule?.description
}
