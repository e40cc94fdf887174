import type { ChangedRecords } from '../ci/signals/live-news.js'

/** IDs of what committed transactions changed. */
export type Changes = Readonly<ChangedRecords>

/** Changes that are gathered before they are published. */
export class GatheredChanges {
  readonly jobs = new Set<number>()
  readonly pipelines = new Set<number>()
  readonly deletedPipelines = new Map<number, { id: number; project_id: number }>()
  readonly projects = new Set<number>()
  readonly runners = new Set<number>()
  readonly todosOf = new Set<number>()

  get isEmpty(): boolean {
    const { jobs, pipelines, deletedPipelines, projects, runners, todosOf } = this
    return [jobs, pipelines, deletedPipelines, projects, runners, todosOf].every(({ size }) => size === 0)
  }

  add(changes: Changes): void {
    for (const pipeline of changes.deletedPipelines ?? []) this.deletedPipelines.set(pipeline.id, pipeline)
    for (const name of ['jobs', 'pipelines', 'projects', 'runners', 'todosOf'] as const) {
      for (const id of changes[name] ?? []) this[name].add(id)
    }
  }
}
