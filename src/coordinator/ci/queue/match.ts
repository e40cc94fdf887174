import type { RunnerType } from '../../database/tables/runners.js'

/** The properties that decide which jobs a runner may take. */
export interface RunnerProfile {
  runnerId: number
  type: RunnerType
  active: boolean
  tags: ReadonlySet<string>
  runUntagged: boolean
  /** Access level `ref_protected`: only jobs on protected refs. */
  protectedOnly: boolean
  /** Projects of a project runner; empty for other runner types. */
  projectIds: ReadonlySet<number>
  /** Full path of the group of a group runner; undefined for other runner types. */
  groupPath: string | undefined
  /** The waiting runner with the greatest weight gets the job. */
  weight: number
}

/** The common properties of runners that no job can tell apart. */
export type KindProfile = Omit<RunnerProfile, 'runnerId' | 'weight'>

/** The properties that decide which runners may take a job. */
export interface JobProfile {
  projectId: number
  /** Full path of the project. */
  projectPath: string
  tags: readonly string[]
  protected: boolean
  instanceRunnersAllowed: boolean
  groupRunnersAllowed: boolean
}

/**
 * Whether a runner may take a job (CI language, 14.1). The required runner features are checked separately,
 * at dispatch.
 */
export function mayTake(runner: KindProfile, job: JobProfile): boolean {
  return runner.active && isInScope(runner, job) && fits(runner, job)
}

/** The remaining conditions for a job in a project that the runner serves. */
export function fits(runner: KindProfile, job: Pick<JobProfile, 'tags' | 'protected'>): boolean {
  return (job.protected || !runner.protectedOnly) && fitsTags(runner, job.tags)
}

export function isInScope(runner: KindProfile, job: JobProfile): boolean {
  switch (runner.type) {
    case 'instance_type':
      return job.instanceRunnersAllowed
    case 'project_type':
      return runner.projectIds.has(job.projectId)
    case 'group_type':
      return job.groupRunnersAllowed && isInGroup(job.projectPath, runner.groupPath)
  }
}

/** True also for subgroups. */
function isInGroup(projectPath: string, groupPath: string | undefined): boolean {
  return groupPath !== undefined && projectPath.startsWith(`${groupPath}/`)
}

export function fitsTags(runner: KindProfile, tags: readonly string[]): boolean {
  return tags.length === 0 ? runner.runUntagged : tags.every((tag) => runner.tags.has(tag))
}
