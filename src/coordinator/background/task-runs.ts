/** The last run of a periodic task in this process. */
export interface TaskRun {
  name: string
  /** Seconds from the end of one run to the start of the next. */
  every: number
  /** Milliseconds since 1970; null = not yet. */
  startedAt: number | null
  /** In milliseconds; null while the first run is not over. */
  duration: number | null
  /** Message of the error with which the last run ended; null = none. */
  error: string | null
  isRunning: boolean
}

/** Records the last run of each periodic task of this process, for administrators. */
export class TaskRuns {
  private readonly runs = new Map<string, TaskRun>()

  constructor(private readonly now: () => number = Date.now) {}

  /** Lists the task, also before its first run. */
  add({ name, every }: Pick<TaskRun, 'name' | 'every'>): void {
    this.runs.set(name, { name, every, startedAt: null, duration: null, error: null, isRunning: false })
  }

  begin(name: string): void {
    const run = this.runs.get(name)
    if (!run) return
    run.startedAt = this.now()
    run.isRunning = true
  }

  end(name: string, error: string | null): void {
    const run = this.runs.get(name)
    if (!run || run.startedAt === null) return
    run.duration = this.now() - run.startedAt
    run.error = error
    run.isRunning = false
  }

  /** By name. */
  list(): readonly TaskRun[] {
    return [...this.runs.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1))
  }
}
