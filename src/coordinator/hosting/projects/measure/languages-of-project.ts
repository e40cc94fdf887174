import type { Project } from '../../../access/caller.js'
import { shares } from './languages.js'
import { type MeasureDeps, refreshMeasure } from './measure-project.js'

/** Percent of the bytes of the default branch by language, the largest first (API, C2). */
export async function languagesOfProject(
  deps: MeasureDeps,
  project: Project,
): Promise<Record<string, number>> {
  await refreshMeasure(deps, project)
  const rows = await deps.database
    .selectFrom('project_language')
    .select(['name', 'bytes'])
    .where('project_id', '=', project.id)
    .execute()
  return shares(rows)
}
