import type { Selectable } from 'kysely'

import type { Database } from '../../database/connect.js'
import { keyedRead, keyedRowsRead } from '../../database/keyed-read.js'
import type { RunnerTable } from '../../database/tables/runners.js'
import type { RunnerProfile } from './match.js'

/** Shared by the profiles of the many requests that are held for runners of other types. */
const NO_PROJECTS: ReadonlySet<number> = new Set()

export async function loadRunnerProfile(
  database: Database,
  runner: Selectable<RunnerTable>,
): Promise<RunnerProfile> {
  const projects =
    runner.runner_type === 'project_type' ? new Set(await projectIdsOf(database, runner.id)) : NO_PROJECTS
  const groupPath = runner.group_id === null ? undefined : await fullPathOf(database, runner.group_id)
  return profileOf(runner, projects, groupPath)
}

function profileOf(
  runner: Selectable<RunnerTable>,
  projectIds: ReadonlySet<number>,
  groupPath: string | undefined,
): RunnerProfile {
  return {
    runnerId: runner.id,
    type: runner.runner_type,
    active: runner.active,
    tags: new Set(runner.tag_list),
    runUntagged: runner.run_untagged,
    protectedOnly: runner.access_level === 'ref_protected',
    projectIds,
    groupPath,
    weight: runner.weight,
  }
}

const projectsByRunner = keyedRowsRead('runner_id', (database) =>
  database.selectFrom('runner_project').select(['runner_id', 'project_id']),
)

const pathOfNamespace = keyedRead('id', (database) =>
  database.selectFrom('namespace').select(['id', 'full_path']),
)

/** The projects of a project runner. */
async function projectIdsOf(database: Database, runnerId: number): Promise<number[]> {
  const rows = await projectsByRunner(database, runnerId)
  return rows.map((row) => row.project_id)
}

async function fullPathOf(database: Database, groupId: number): Promise<string | undefined> {
  return (await pathOfNamespace(database, groupId))?.full_path
}
