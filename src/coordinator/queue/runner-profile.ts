import type { Selectable } from 'kysely'

import type { Database } from '../database/connect.js'
import type { RunnerTable } from '../resources/runners/table.js'
import type { RunnerProfile } from './match.js'

export async function loadRunnerProfile(
  database: Database,
  runner: Selectable<RunnerTable>,
): Promise<RunnerProfile> {
  const projects = runner.runner_type === 'project_type' ? await projectIdsOf(database, runner.id) : []
  return {
    runnerId: runner.id,
    type: runner.runner_type,
    active: runner.active,
    tags: new Set(runner.tag_list),
    runUntagged: runner.run_untagged,
    protectedOnly: runner.access_level === 'ref_protected',
    projectIds: new Set(projects),
  }
}

async function projectIdsOf(database: Database, runnerId: number): Promise<number[]> {
  const rows = await database
    .selectFrom('runner_project')
    .select('project_id')
    .where('runner_id', '=', runnerId)
    .execute()
  return rows.map((row) => row.project_id)
}
