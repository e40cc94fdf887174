/** Lines that a diff replaces, counted from 1. Without lines on one side, its start is the line after the change. */
export interface Hunk {
  oldStart: number
  oldLines: number
  newStart: number
  newLines: number
}

const HEADER = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/gm

/** The hunks of a diff of one file without context lines (`git diff -U0`). */
export function hunksOf(diff: string): Hunk[] {
  return [...diff.matchAll(HEADER)].map(([, oldStart, oldLines = '1', newStart, newLines = '1']) => ({
    oldStart: Number(oldStart) + (oldLines === '0' ? 1 : 0),
    oldLines: Number(oldLines),
    newStart: Number(newStart) + (newLines === '0' ? 1 : 0),
    newLines: Number(newLines),
  }))
}

/** Number of an unchanged line after the change; undefined if the diff removes it. */
export function lineAfter(hunks: readonly Hunk[], oldLine: number): number | undefined {
  let shift = 0
  for (const { oldStart, oldLines, newLines } of hunks) {
    if (oldLine < oldStart) break
    if (oldLine < oldStart + oldLines) return undefined
    shift += newLines - oldLines
  }
  return oldLine + shift
}

/** Number of an unchanged line before the change; undefined if the diff adds it. */
export function lineBefore(hunks: readonly Hunk[], newLine: number): number | undefined {
  return lineAfter(hunks.map(reversed), newLine)
}

function reversed({ oldStart, oldLines, newStart, newLines }: Hunk): Hunk {
  return { oldStart: newStart, oldLines: newLines, newStart: oldStart, newLines: oldLines }
}

/** Both numbers of a line as diffs count them: one that is added or removed has the number of the next line there. */
export function numbersOf(
  hunks: readonly Hunk[],
  line: { oldLine: number } | { newLine: number },
): { oldLine: number; newLine: number } {
  if ('newLine' in line) {
    const { newLine } = line
    const hunk = hunks.find(({ newStart, newLines }) => newLine >= newStart && newLine < newStart + newLines)
    const oldLine = hunk ? hunk.oldStart + hunk.oldLines : (lineBefore(hunks, newLine) ?? newLine)
    return { oldLine, newLine }
  }
  const { oldLine } = line
  const hunk = hunks.find(({ oldStart, oldLines }) => oldLine >= oldStart && oldLine < oldStart + oldLines)
  return { oldLine, newLine: hunk ? hunk.newStart : (lineAfter(hunks, oldLine) ?? oldLine) }
}
