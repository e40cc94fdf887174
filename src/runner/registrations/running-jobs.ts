import { deferred } from '../../lib/deferred.js'
import type { JobPayload } from '../../protocol/job-payload.js'

/** Public information about a running job. */
export interface RunningJob {
  id: number
  name: string
  project: string
  url: string | undefined
  /** Name of its registration. */
  runner: string
  /** Short token of its registration. */
  runnerToken: string
  /** URL of the coordinator that the job came from. */
  coordinator: string
  /** `pending` until its first stage begins. */
  state: 'pending' | 'running'
  /** Name of the current section of its log, the inner one of two. Empty between sections. */
  stage: string
  since: Date
}

/** Receives the progress of a running job. */
export interface JobWatch {
  /** Returns a function that ends the stage. */
  enterStage(stage: string): () => void
}

type OnStageEnd = (stage: string, seconds: number) => void

interface Entry {
  job: Omit<RunningJob, 'stage' | 'state'>
  stages: string[]
  hasBegun: boolean
}

/** The running jobs of this process, for status commands and metrics. */
export class RunningJobs {
  private readonly entries = new Set<Entry>()
  private jobEnd = deferred()

  /** `onChange` is called with the number of jobs whenever it changes. */
  constructor(private readonly onChange: (count: number) => void = () => {}) {}

  /** Resolves when the next job has ended. */
  nextEnd(): Promise<void> {
    return this.jobEnd.promise
  }

  list(): RunningJob[] {
    return [...this.entries].map(({ job, stages, hasBegun }) => ({
      ...job,
      state: hasBegun ? 'running' : 'pending',
      stage: stages.at(-1) ?? '',
    }))
  }

  /** Tracks a job until `remove`. */
  add(
    payload: JobPayload,
    taker: Pick<RunningJob, 'runner' | 'runnerToken' | 'coordinator'>,
    onStageEnd: OnStageEnd,
    since = new Date(),
  ): JobWatch & { remove(): void } {
    const job = {
      id: payload.id,
      name: payload.job_info.name,
      project: payload.job_info.project_name,
      url: payload.variables.find(({ key }) => key === 'CI_JOB_URL')?.value,
      since,
      ...taker,
    }
    const entry: Entry = { job, stages: [], hasBegun: false }
    this.entries.add(entry)
    this.onChange(this.entries.size)
    return {
      enterStage: (stage) => enterStage(entry, stage, onStageEnd),
      remove: () => this.remove(entry),
    }
  }

  private remove(entry: Entry): void {
    this.entries.delete(entry)
    this.onChange(this.entries.size)
    this.jobEnd.resolve()
    this.jobEnd = deferred()
  }
}

function enterStage(entry: Entry, stage: string, onStageEnd: OnStageEnd): () => void {
  const start = performance.now()
  entry.hasBegun = true
  entry.stages.push(stage)
  return () => {
    entry.stages.splice(entry.stages.lastIndexOf(stage), 1)
    onStageEnd(stage, (performance.now() - start) / 1000)
  }
}
