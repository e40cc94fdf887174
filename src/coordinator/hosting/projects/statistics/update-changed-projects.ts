import { isDamage } from '../../../../git/errors.js'
import type { Logger } from '../../../../lib/logger.js'
import type { Project } from '../../../access/caller.js'
import { logsDamage } from '../../repositories/log-damage.js'
import { type StatisticsDeps, updateProjectStatistics } from './update-project-statistics.js'

/** Maximum number of projects per run. */
const BATCH = 100

/**
 * Periodic task: updates the statistics of projects with pushes since the last update, the longest waiting
 * first. Failures are logged and do not stop the run.
 */
export async function updateChangedProjects(
  deps: StatisticsDeps & { logger: Logger },
  signal: AbortSignal,
): Promise<void> {
  for (const project of await changedProjects(deps)) {
    if (signal.aborted) return
    try {
      await updateProjectStatistics(deps, project)
    } catch (error) {
      if (isDamage(error)) logsDamage(deps, project)(error)
      else
        deps.logger.warn(
          { err: error, project: project.id },
          'Failed to update the statistics of a repository',
        )
    }
  }
}

function changedProjects({ database }: StatisticsDeps): Promise<Project[]> {
  return database
    .selectFrom('project')
    .leftJoin('project_measure', 'project_measure.project_id', 'project.id')
    .selectAll('project')
    .where('project.default_branch', 'is not', null)
    .where(({ or, eb, ref }) =>
      or([
        eb('project_measure.measured_at', 'is', null),
        eb('project_measure.measured_at', '<=', ref('project.last_activity_at')),
      ]),
    )
    .orderBy('project.last_activity_at')
    .limit(BATCH)
    .execute()
}
