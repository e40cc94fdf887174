import type { Database } from '../../../database/connect.js'
import { preparedRead } from '../../../database/prepared-read.js'
import type { Placeholder } from '../../../database/prepared-statement.js'
import type { RunnerRow } from '../../../database/tables/pipeline-rows.js'

export function findRunner(database: Database, id: number): Promise<RunnerRow | undefined> {
  return database.selectFrom('runner').selectAll().where('id', '=', id).executeTakeFirst()
}

const namespaceByPath = preparedRead((database, { fullPath }: { fullPath: Placeholder<string> }) =>
  database.selectFrom('namespace').select('id').where('full_path', '=', fullPath),
)

export async function findNamespaceId(database: Database, fullPath: string): Promise<number | undefined> {
  const [row] = await namespaceByPath(database, { fullPath })
  return row?.id
}

const leasesOnInstanceRunners = preparedRead((database, { projectId }: { projectId: Placeholder<number> }) =>
  database
    .selectFrom('lease')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('instance_runner', '=', true)
    .where('project_id', '=', projectId),
)

/** Counts by leases, without reading the jobs. */
export async function countProjectJobsOnInstanceRunners(
  database: Database,
  projectId: number,
): Promise<number> {
  const [row] = await leasesOnInstanceRunners(database, { projectId })
  return row?.count ?? 0
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
