/*
 * Git and CI of a simulated merge train. A commit is the list of the changes in it, oldest first. Nothing here is lost by
 * a kill of the coordinator.
 */

/** A change of a merge request, or of a push to the target branch. */
export interface Change {
  /** Fails alone. */
  isBroken: boolean
  /** Fails together with these, although each may pass alone. */
  breaks: ReadonlySet<string>
  /** Cannot be merged into a commit with these. */
  conflicts: ReadonlySet<string>
  /** Repairs these broken changes. */
  repairs: ReadonlySet<string>
}

export interface Pipeline {
  commit: string
  status: 'running' | 'success' | 'failed' | 'canceled'
  /** Whether it has failed although its commit is good. */
  isFlaky: boolean
}

export class SimulatedWorld {
  target = 'start'
  readonly pipelines: Pipeline[] = []
  /** Pipelines by the request that has created them, so that a repeated request creates nothing. */
  private readonly byKey = new Map<string, number>()
  private readonly commits = new Map<string, readonly string[]>([['start', []]])

  constructor(private readonly changes: ReadonlyMap<string, Change>) {}

  changesIn(commit: string): readonly string[] {
    const changes = this.commits.get(commit)
    if (!changes) throw new Error(`There is no commit ${commit}`)
    return changes
  }

  /** A new commit; undefined if the change conflicts. */
  merge(parent: string, change: string): string | undefined {
    const before = this.changesIn(parent)
    const conflicts = this.changeOf(change).conflicts
    if (before.some((other) => conflicts.has(other) || this.changeOf(other).conflicts.has(change))) {
      return undefined
    }
    return this.commit([...before, change])
  }

  push(change: string): void {
    this.target = this.commit([...this.changesIn(this.target), change])
  }

  /** Whether a pipeline that is not flaky passes. */
  isGreen(changes: readonly string[]): boolean {
    return changes.every((change) => {
      const { isBroken, breaks } = this.changeOf(change)
      const isRepaired = changes.some((other) => this.changeOf(other).repairs.has(change))
      return (!isBroken || isRepaired) && !changes.some((other) => breaks.has(other))
    })
  }

  /** The pipeline of this request; created once. */
  start(key: string, commit: string): number {
    const known = this.byKey.get(key)
    if (known !== undefined) return known
    const id = this.pipelines.push({ commit, status: 'running', isFlaky: false }) - 1
    this.byKey.set(key, id)
    return id
  }

  finish(pipeline: Pipeline, isUnlucky: boolean): void {
    const isGreen = this.isGreen(this.changesIn(pipeline.commit))
    pipeline.status = isGreen && !isUnlucky ? 'success' : 'failed'
    pipeline.isFlaky = isGreen && isUnlucky
  }

  /** Moves the target branch, unless it is elsewhere. */
  fastForward(from: string, to: string): boolean {
    if (this.target !== from) return false
    this.target = to
    return true
  }

  private changeOf(name: string): Change {
    const change = this.changes.get(name)
    if (!change) throw new Error(`There is no change ${name}`)
    return change
  }

  private commit(changes: readonly string[]): string {
    const id = `commit ${this.commits.size}`
    this.commits.set(id, changes)
    return id
  }
}
