import type { Project } from '../../../access/caller.js'
import { shares } from './languages.js'
import { refreshStatistics, type StatisticsDeps } from './update-project-statistics.js'

/** Percentage of bytes per language on the default branch, largest first (API, C2). */
export async function languagesOfProject(
  deps: StatisticsDeps,
  project: Project,
): Promise<Record<string, number>> {
  await refreshStatistics(deps, project)
  const rows = await deps.database
    .selectFrom('project_language')
    .select(['name', 'bytes'])
    .where('project_id', '=', project.id)
    .execute()
  return shares(rows)
}
