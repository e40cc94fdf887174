import type { PlannedNeed } from '../../../../ci-config/plan.js'
import type { JobTable } from '../../../database/tables/pipelines.js'

/** Selects jobs of the pipeline by name (undefined: any), optionally only those of earlier stages. */
export interface DependencySelection {
  names: string[] | undefined
  earlierStagesOnly: boolean
}

/** Selects the jobs whose artifacts a job fetches, the latest attempt of each (CI language, 16.2). */
export function dependencySelection(
  job: Pick<JobTable, 'scheduling_type'>,
  /** As in the CI file; undefined = not set. */
  dependencies: readonly string[] | undefined,
  needs: readonly Pick<PlannedNeed, 'name' | 'artifacts'>[],
): DependencySelection {
  if (job.scheduling_type === 'stage') {
    return { names: dependencies && [...dependencies], earlierStagesOnly: true }
  }
  const needed = needs.filter((need) => need.artifacts).map((need) => need.name)
  const names = dependencies ? needed.filter((name) => dependencies.includes(name)) : needed
  return { names, earlierStagesOnly: false }
}
