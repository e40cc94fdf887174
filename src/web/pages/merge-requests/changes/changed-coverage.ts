import type { Coverage } from '../../../../coordinator/planning/merge-requests/changed-coverage/schema.js'
import type { ParsedDiff } from '../../../code/parse-diff.js'

type FileCoverage = Coverage['files'][string]

/** How many of the lines that a change adds are covered, among those that reports name. */
export function changedCoverage(
  { hunks }: ParsedDiff,
  lines: FileCoverage,
): { known: number; uncovered: number } {
  const hits = hunks.flatMap((hunk) =>
    hunk.lines.flatMap(({ kind, new: number }) => {
      const count = kind === 'added' && number !== undefined ? lines[number] : undefined
      return count === undefined ? [] : [count]
    }),
  )
  return { known: hits.length, uncovered: hits.filter((count) => count === 0).length }
}

/** The number of uncovered lines in words. */
export function coverageText({ known, uncovered }: { known: number; uncovered: number }): string {
  const lines = known === 1 ? 'changed line' : 'changed lines'
  return uncovered === 0 ? `${known} ${lines} covered` : `${uncovered} of ${known} ${lines} not covered`
}
