import { deferred } from '../../lib/deferred.js'
import type { JobPayload } from '../../protocol/job-payload.js'

/** What is known from outside of a job under way. */
export interface RunningJob {
  id: number
  name: string
  project: string
  url: string | undefined
  /** Name of the entry that took it. */
  runner: string
  /** Short token of that entry. */
  runnerToken: string
  /** Of the coordinator it came from. */
  coordinator: string
  /** `pending` until its first stage begins. */
  state: 'pending' | 'running'
  /** As the section of its log is named, the inner one of two; empty between two. */
  stage: string
  since: Date
}

/** What a job under way is told by the one who performs it. */
export interface JobWatch {
  /** The answer ends the stage. */
  enterStage(stage: string): () => void
}

type OnStageEnd = (stage: string, seconds: number) => void

interface Entry {
  job: Omit<RunningJob, 'stage' | 'state'>
  stages: string[]
  hasBegun: boolean
}

/** The jobs of this process, for those who ask what it does. */
export class RunningJobs {
  private readonly entries = new Set<Entry>()
  private jobEnd = deferred()

  /** `onChange` hears of the number of jobs, whenever it changes. */
  constructor(private readonly onChange: (count: number) => void = () => {}) {}

  /** Resolves when the next one of them has ended. */
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

  /** Follows a job until `remove`. */
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
