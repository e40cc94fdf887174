import type { Database } from '../../database/connect.js'

/** Number of jobs of each project that run on instance runners, for fair scheduling (CI language, 14.2). */
export async function countRunningOnInstanceRunners(database: Database): Promise<Map<number, number>> {
  const rows = await database
    .selectFrom('lease')
    .select((eb) => ['project_id', eb.fn.countAll<number>().as('jobs')])
    .where('instance_runner', '=', true)
    .groupBy('project_id')
    .execute()
  return new Map(rows.map(({ project_id, jobs }) => [project_id, jobs]))
}
