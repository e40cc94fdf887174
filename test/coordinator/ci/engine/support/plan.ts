import type { JobOptions, Plan, PlannedJob } from '../../../../../src/ci-config/plan.js'

/** A job of a test's plan; the stage is its index, `needs` makes it graph-scheduled. */
export interface SketchedJob {
  stage?: number
  when?: PlannedJob['when']
  allowFailure?: boolean
  needs?: string[]
  interruptible?: boolean
  startIn?: number
  tags?: string[]
  resourceGroup?: string
  options?: Partial<JobOptions>
}

export type PlanSketch = Record<string, SketchedJob>

/** A plan of jobs, for cases that a CI file cannot express briefly. */
export function planOf(sketch: PlanSketch, changes: Partial<Omit<Plan, 'jobs' | 'stages'>> = {}): Plan {
  const jobs = Object.entries(sketch).map(([name, job]) => plannedJob(name, job))
  const last = Math.max(...jobs.map(({ stageIndex }) => stageIndex))
  return {
    stages: Array.from({ length: last + 1 }, (_, index) => stageName(index)),
    jobs: jobs.sort((a, b) => a.stageIndex - b.stageIndex),
    warnings: [],
    autoCancel: { onNewCommit: 'conservative', onJobFailure: 'none' },
    ...changes,
  }
}

function plannedJob(name: string, job: SketchedJob): PlannedJob {
  const { stage = 0, needs, startIn, when = startIn === undefined ? 'on_success' : 'delayed' } = job
  return {
    name,
    stage: stageName(stage),
    stageIndex: stage,
    when,
    allowFailure: job.allowFailure ?? when === 'manual',
    schedulingType: needs ? 'dag' : 'stage',
    needs: (needs ?? []).map((needed) => ({ name: needed, artifacts: true, optional: false })),
    tags: job.tags ?? [],
    variables: [],
    interruptible: job.interruptible ?? false,
    ...(startIn !== undefined && { startIn }),
    ...(job.resourceGroup !== undefined && { resourceGroup: job.resourceGroup }),
    options: { script: ['x'], afterScript: [], services: [], ...job.options },
  }
}

function stageName(index: number): string {
  return `stage ${index}`
}
