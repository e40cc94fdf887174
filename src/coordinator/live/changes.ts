/** IDs of what committed transactions changed. */
export interface Changes {
  jobs?: readonly number[]
  pipelines?: readonly number[]
  deletedPipelines?: readonly DeletedPipeline[]
}

export interface DeletedPipeline {
  id: number
  project_id: number
}

/** Changes that are gathered before they are published. */
export class GatheredChanges {
  readonly jobs = new Set<number>()
  readonly pipelines = new Set<number>()
  readonly deletedPipelines = new Map<number, DeletedPipeline>()

  get isEmpty(): boolean {
    return this.jobs.size + this.pipelines.size + this.deletedPipelines.size === 0
  }

  add({ jobs = [], pipelines = [], deletedPipelines = [] }: Changes): void {
    for (const id of jobs) this.jobs.add(id)
    for (const id of pipelines) this.pipelines.add(id)
    for (const pipeline of deletedPipelines) this.deletedPipelines.set(pipeline.id, pipeline)
  }
}
