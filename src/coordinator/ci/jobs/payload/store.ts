import type { Database } from '../../../database/connect.js'
import { keyedRead, textKeyedRead } from '../../../database/keyed-read.js'
import type { RunnerRow } from '../../../database/tables/pipeline-rows.js'

export function findRunner(database: Database, id: number): Promise<RunnerRow | undefined> {
  return database.selectFrom('runner').selectAll().where('id', '=', id).executeTakeFirst()
}

const namespaceByPath = textKeyedRead('full_path', (database) =>
  database.selectFrom('namespace').select(['id', 'full_path']),
)

export async function findNamespaceId(database: Database, fullPath: string): Promise<number | undefined> {
  return (await namespaceByPath(database, fullPath))?.id
}

const leasesOnInstanceRunners = keyedRead('project_id', (database) =>
  database
    .selectFrom('lease')
    .select((select) => ['project_id', select.fn.countAll<number>().as('count')])
    .where('instance_runner', '=', true)
    .groupBy('project_id'),
)

/** Counts by leases, without reading the jobs. */
export async function countProjectJobsOnInstanceRunners(
  database: Database,
  projectId: number,
): Promise<number> {
  return (await leasesOnInstanceRunners(database, projectId))?.count ?? 0
}

/** `scheduleId` null = the pipeline was not created by a schedule. */
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
