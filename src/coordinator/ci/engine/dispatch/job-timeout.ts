export interface TimeoutSources {
  /** Seconds, as are the others; the `timeout` that the job wrote. */
  job: number | undefined
  project: number
  runner: number | null
}

/** Seconds that a job may run, fixed when it starts (CI language, 12.9). */
export function jobTimeout({ job, project, runner }: TimeoutSources): number {
  return Math.min(job ?? project, runner ?? Infinity)
}
