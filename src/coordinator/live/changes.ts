import type { ChangedRecords, DeletedPlanned } from '../ci/signals/live-news.js'

/** IDs of what committed transactions changed. */
export type Changes = Readonly<ChangedRecords>

/** What is reported by ID. */
export const CHANGED_KINDS = [
  'jobs',
  'pipelines',
  'projects',
  'runners',
  'todosOf',
  'issues',
  'mergeRequests',
  'epics',
  'snippets',
  'projectWikis',
  'groupWikis',
] as const

/** Changes that are gathered before they are published. */
export class GatheredChanges {
  readonly jobs = new Set<number>()
  readonly pipelines = new Set<number>()
  readonly deletedPipelines = new Map<number, { id: number; project_id: number }>()
  readonly projects = new Set<number>()
  readonly runners = new Set<number>()
  readonly todosOf = new Set<number>()
  readonly issues = new Set<number>()
  readonly mergeRequests = new Set<number>()
  readonly epics = new Set<number>()
  readonly snippets = new Set<number>()
  readonly projectWikis = new Set<number>()
  readonly groupWikis = new Set<number>()
  readonly deletedPlanned = new Map<string, DeletedPlanned>()

  /** Number of deleted records. */
  get deleted(): number {
    return this.deletedPipelines.size + this.deletedPlanned.size
  }

  get isEmpty(): boolean {
    return this.deleted === 0 && CHANGED_KINDS.every((name) => this[name].size === 0)
  }

  add(changes: Changes): void {
    for (const pipeline of changes.deletedPipelines ?? []) this.deletedPipelines.set(pipeline.id, pipeline)
    for (const each of changes.deletedPlanned ?? []) this.deletedPlanned.set(`${each.kind} ${each.id}`, each)
    for (const name of CHANGED_KINDS) {
      for (const id of changes[name] ?? []) this[name].add(id)
    }
  }
}
