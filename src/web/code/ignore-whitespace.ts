import type { DiffLine, Hunk, ParsedDiff } from './parse-diff.js'

/** A change with more pairs of lines is not compared, so that a page with huge diffs opens at once. */
const MAX_PAIRS = 1_000_000

/** A diff in which lines that differ only in white space are unchanged, with their text after the change. */
export function ignoreWhitespace({ hunks }: ParsedDiff): ParsedDiff {
  const parsed: ParsedDiff = { hunks: [], added: 0, removed: 0 }
  for (const hunk of hunks) {
    const lines = withoutWhitespaceChanges(hunk)
    const added = lines.filter(({ kind }) => kind === 'added').length
    const removed = lines.filter(({ kind }) => kind === 'removed').length
    if (added + removed === 0) continue
    parsed.hunks.push({ oldStart: hunk.oldStart, newStart: hunk.newStart, heading: hunk.heading, lines })
    parsed.added += added
    parsed.removed += removed
  }
  return parsed
}

function withoutWhitespaceChanges({ lines }: Hunk): DiffLine[] {
  const result: DiffLine[] = []
  for (let at = 0; at < lines.length;) {
    const removed = run(lines, at, 'removed')
    const added = run(lines, at + removed.length, 'added')
    if (removed.length + added.length === 0) {
      result.push(...lines.slice(at, at + 1))
      at += 1
    } else {
      result.push(...merged(removed, added))
      at += removed.length + added.length
    }
  }
  return result
}

function run(lines: readonly DiffLine[], from: number, kind: DiffLine['kind']): DiffLine[] {
  let end = from
  while (lines[end]?.kind === kind) end += 1
  return lines.slice(from, end)
}

/** The lines of a change; those that differ only in white space are unchanged. */
function merged(removed: readonly DiffLine[], added: readonly DiffLine[]): DiffLine[] {
  if (removed.length * added.length > MAX_PAIRS) return [...removed, ...added]
  const pairs = commonLines(removed.map(compared), added.map(compared))
  const result: DiffLine[] = []
  let old = 0
  let now = 0
  for (const [first, second] of pairs) {
    result.push(...removed.slice(old, first), ...added.slice(now, second))
    const line = added[second]
    if (line) {
      const end = line.isWithoutEnd && { isWithoutEnd: line.isWithoutEnd }
      result.push({ kind: 'same', text: line.text, old: removed[first]?.old, new: line.new, ...end })
    }
    old = first + 1
    now = second + 1
  }
  return [...result, ...removed.slice(old), ...added.slice(now)]
}

function compared({ text }: DiffLine): string {
  return text.replaceAll(/\s+/g, '')
}

/** The longest common subsequence, as pairs of indices. */
function commonLines(before: readonly string[], after: readonly string[]): [number, number][] {
  const width = after.length + 1
  // The length of the longest common subsequence of the lines from each pair on.
  const lengths = new Uint32Array((before.length + 1) * width)
  for (let row = before.length - 1; row >= 0; row -= 1) {
    for (let column = after.length - 1; column >= 0; column -= 1) {
      const here = row * width + column
      lengths[here] =
        before[row] === after[column]
          ? (lengths[here + width + 1] ?? 0) + 1
          : Math.max(lengths[here + width] ?? 0, lengths[here + 1] ?? 0)
    }
  }
  const pairs: [number, number][] = []
  for (let row = 0, column = 0; row < before.length && column < after.length;) {
    const here = row * width + column
    if (before[row] === after[column]) {
      pairs.push([row, column])
      row += 1
      column += 1
    } else if ((lengths[here + width] ?? 0) >= (lengths[here + 1] ?? 0)) row += 1
    else column += 1
  }
  return pairs
}
