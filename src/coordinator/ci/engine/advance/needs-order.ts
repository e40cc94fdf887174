export interface JobWithNeeds {
  name: string
  needs: readonly string[]
}

/** Orders the jobs so that each comes after the jobs that it needs; otherwise keeps their order. */
export function inNeedsOrder<Job extends JobWithNeeds>(jobs: readonly Job[]): Job[] {
  const byName = new Map(jobs.map((job) => [job.name, job]))
  const ordered = new Set<Job>()
  const seen = new Set<Job>()
  const place = (job: Job): void => {
    // Stored jobs have no cycles. With one, the jobs would merely keep their order.
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
