export interface TimeoutSources {
  /** All values are in seconds; this is the `timeout` of the job itself. */
  job: number | undefined
  project: number
  runner: number | null
}

/** The timeout of a job in seconds, fixed when it starts (CI language, 12.9). */
export function jobTimeout({ job, project, runner }: TimeoutSources): number {
  return Math.min(job ?? project, runner ?? Infinity)
}
