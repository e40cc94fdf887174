/** A line of a diff. */
export interface DiffLine {
  kind: 'same' | 'added' | 'removed'
  text: string
  /** Line number before the change, from 1; undefined for an added line. */
  old: number | undefined
  /** Line number after the change, from 1; undefined for a removed line. */
  new: number | undefined
  /** The file has no line end after this line. */
  isWithoutEnd?: true
}

/** Lines that a diff shows together. */
export interface Hunk {
  /** First line before and after the change, from 1. */
  oldStart: number
  newStart: number
  /** What the line with the numbers says of the place: a function or a section. */
  heading: string
  lines: DiffLine[]
}

export interface ParsedDiff {
  hunks: Hunk[]
  added: number
  removed: number
}

const HEADER = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/

/** Parses the diff of one file, from its first `@@` on. */
export function parseDiff(diff: string): ParsedDiff {
  const parsed: ParsedDiff = { hunks: [], added: 0, removed: 0 }
  let oldLine = 0
  let newLine = 0
  for (const line of diff.split('\n')) {
    const header = HEADER.exec(line)
    if (header) {
      const [, oldStart, oldCount, newStart, newCount, heading = ''] = header
      // Without lines on a side, its number is that of the line before.
      oldLine = Number(oldStart) + (oldCount === '0' ? 1 : 0)
      newLine = Number(newStart) + (newCount === '0' ? 1 : 0)
      parsed.hunks.push({ oldStart: oldLine, newStart: newLine, heading, lines: [] })
      continue
    }
    const lines = parsed.hunks.at(-1)?.lines
    if (!lines) continue
    const text = line.slice(1)
    if (line.startsWith('+')) {
      lines.push({ kind: 'added', text, old: undefined, new: newLine++ })
      parsed.added += 1
    } else if (line.startsWith('-')) {
      lines.push({ kind: 'removed', text, old: oldLine++, new: undefined })
      parsed.removed += 1
    } else if (line.startsWith(' ')) lines.push({ kind: 'same', text, old: oldLine++, new: newLine++ })
    else if (line.startsWith('\\')) {
      const last = lines.at(-1)
      if (last) last.isWithoutEnd = true
    }
  }
  return parsed
}
