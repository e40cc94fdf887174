import type { JobOptions, PlannedJob } from '../../../src/ci-config/plan.js'

type Given = Partial<Omit<PlannedJob, 'needs' | 'options'>> & {
  needs?: string[]
  options?: Partial<JobOptions>
}

/** A job of a plan; with `needs`, even none, it is scheduled by them. */
export function planned(name: string, { needs, options, ...given }: Given = {}): PlannedJob {
  return {
    name,
    stage: `stage ${given.stageIndex ?? 1}`,
    stageIndex: 1,
    when: 'on_success',
    allowFailure: false,
    schedulingType: needs ? 'dag' : 'stage',
    needs: (needs ?? []).map((needed) => ({ name: needed, artifacts: true, optional: false })),
    tags: [],
    variables: [],
    interruptible: false,
    options: { script: ['true'], afterScript: [], services: [], ...options },
    ...given,
  }
}
