import type { RunInterval } from '../pipeline-store.js'

/** Milliseconds covered by at least one of the intervals. */
export function coveredTime(intervals: readonly RunInterval[]): number {
  let covered = 0
  let reached = -Infinity
  for (const { start, end } of [...intervals].sort((a, b) => a.start - b.start)) {
    if (end <= reached) continue
    covered += end - Math.max(start, reached)
    reached = end
  }
  return covered
}
