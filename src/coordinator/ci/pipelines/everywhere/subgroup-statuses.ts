import { sql } from 'kysely'

import type { User } from '../../../access/caller.js'
import { readsPipelines } from '../../../access/planning-visibility.js'
import type { Database } from '../../../database/connect.js'
import { DANGLING_SOURCES } from '../../engine/pipeline-source.js'
import type { SubgroupStatuses } from './schema.js'

/** More projects are not counted, so that the response of a large group does not take long. */
const MAX_PROJECTS = 2000

/** The statuses of the default branches in each direct subgroup of a group, with those in the subgroups of that. */
export async function findSubgroupStatuses(
  database: Database,
  viewer: User | undefined,
  groupId: number,
): Promise<SubgroupStatuses> {
  const projects = await database
    .selectFrom('namespace as subgroup')
    .innerJoin('group_tree', 'group_tree.ancestor_id', 'subgroup.id')
    .innerJoin('project', 'project.namespace_id', 'group_tree.group_id')
    .select(['subgroup.id as group_id', 'project.id', 'project.default_branch'])
    .where('subgroup.parent_id', '=', groupId)
    .where('project.archived', '=', false)
    .where('project.default_branch', 'is not', null)
    .where(readsPipelines(viewer))
    .orderBy('project.id', 'desc')
    .limit(MAX_PROJECTS + 1)
    .execute()
  const counted = projects.slice(0, MAX_PROJECTS)
  const statuses = await findLastStatuses(
    database,
    counted.map(({ id }) => id),
  )
  const sums = new Map<number, Record<string, number>>()
  for (const { group_id, id } of counted) {
    const status = statuses.get(id)
    if (status === undefined) continue
    const sum = sums.get(group_id) ?? {}
    sum[status] = (sum[status] ?? 0) + 1
    sums.set(group_id, sum)
  }
  return {
    subgroups: [...sums].map(([group_id, sum]) => ({ group_id, statuses: sum })),
    truncated: projects.length > MAX_PROJECTS,
  }
}

/** The status of the last pipeline of the default branch, by project. One look into an index for each. */
async function findLastStatuses(database: Database, projectIds: number[]): Promise<Map<number, string>> {
  if (projectIds.length === 0) return new Map()
  const { rows } = await sql<{ project_id: number; status: string }>`
    select pipeline.project_id, pipeline.status from project join pipeline on pipeline.id = (
      select latest.id from pipeline as latest
      where latest.project_id = project.id and latest.ref = project.default_branch and latest.tag = false
        and latest.source not in (${sql.join(DANGLING_SOURCES)})
      order by latest.id desc limit 1
    ) where project.id in (${sql.join(projectIds)})`.execute(database)
  return new Map(rows.map(({ project_id, status }) => [project_id, status]))
}
