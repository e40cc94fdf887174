/** Commits of one day, in the order in which they were listed. */
export interface Day<Commit> {
  /** `2026-11-25`, in the time zone of the reader. */
  day: string
  commits: Commit[]
}

/** Groups commits that follow each other by the day on which they were made. */
export function byDay<Commit extends { committed_date: string }>(commits: readonly Commit[]): Day<Commit>[] {
  const days: Day<Commit>[] = []
  for (const commit of commits) {
    const time = new Date(commit.committed_date)
    const day = [time.getFullYear(), time.getMonth() + 1, time.getDate()]
      .map((part) => String(part).padStart(2, '0'))
      .join('-')
    const last = days.at(-1)
    if (last?.day === day) last.commits.push(commit)
    else days.push({ day, commits: [commit] })
  }
  return days
}
