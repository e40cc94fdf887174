import type { Database } from '../../../database/connect.js'
import type { UserRow } from '../../../engine/rows.js'

export function pipelineVariables(database: Database, pipelineId: number) {
  return database
    .selectFrom('pipeline_variable')
    .select(['key', 'value_encrypted', 'variable_type'])
    .where('pipeline_id', '=', pipelineId)
    .orderBy('id')
    .execute()
}

export function playedVariables(database: Database, jobId: number) {
  return database
    .selectFrom('job_variable')
    .select(['key', 'value_encrypted'])
    .where('job_id', '=', jobId)
    .where('source', '=', 'played')
    .orderBy('id')
    .execute()
}

export function findUser(database: Database, id: number): Promise<UserRow> {
  return database.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
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
