import type { RunnerType } from '../resources/runners/table.js'

/** What decides which jobs a runner may take. */
export interface RunnerProfile {
  runnerId: number
  type: RunnerType
  active: boolean
  tags: ReadonlySet<string>
  runUntagged: boolean
  /** Access level `ref_protected`: only jobs on protected refs. */
  protectedOnly: boolean
  /** Projects that a project runner is assigned to; empty for the other kinds. */
  projectIds: ReadonlySet<number>
}

/** What decides which runners may take a job. */
export interface JobProfile {
  projectId: number
  tags: readonly string[]
  protected: boolean
  instanceRunnersAllowed: boolean
}

/** CI language, 14.1. What a runner must be able to do is another matter: it is checked when the job is handed out. */
export function mayTake(runner: RunnerProfile, job: JobProfile): boolean {
  return (
    runner.active &&
    isInScope(runner, job) &&
    (job.protected || !runner.protectedOnly) &&
    fitsTags(runner, job.tags)
  )
}

function isInScope(runner: RunnerProfile, job: JobProfile): boolean {
  switch (runner.type) {
    case 'instance_type':
      return job.instanceRunnersAllowed
    case 'project_type':
      return runner.projectIds.has(job.projectId)
    case 'group_type':
      return false // There are no group runners yet.
  }
}

function fitsTags(runner: RunnerProfile, tags: readonly string[]): boolean {
  return tags.length === 0 ? runner.runUntagged : tags.every((tag) => runner.tags.has(tag))
}
