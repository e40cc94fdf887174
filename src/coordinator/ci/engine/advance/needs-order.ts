export interface JobWithNeeds {
  name: string
  needs: readonly string[]
}

/** The same jobs with every needed one before those that need it; otherwise in the order given. */
export function inNeedsOrder<Job extends JobWithNeeds>(jobs: readonly Job[]): Job[] {
  const byName = new Map(jobs.map((job) => [job.name, job]))
  const ordered = new Set<Job>()
  const seen = new Set<Job>()
  const place = (job: Job): void => {
    // A circle cannot be stored; were there one, its jobs would only come in the order given.
    if (seen.has(job)) return
    seen.add(job)
    for (const name of job.needs) {
      const needed = byName.get(name)
      if (needed) place(needed)
    }
    ordered.add(job)
  }
  for (const job of jobs) place(job)
  return [...ordered]
}
