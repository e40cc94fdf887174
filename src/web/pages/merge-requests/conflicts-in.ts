/** A conflict of a text: the lines of both sides between the markers of git. */
export interface TextConflict {
  ours: readonly string[]
  theirs: readonly string[]
  /** Indices of the lines with its first and its last marker. */
  start: number
  end: number
}

export type Side = 'ours' | 'theirs' | 'both'

/** The conflicts of a text that have all of their markers. */
export function conflictsIn(text: string): TextConflict[] {
  const lines = text.split('\n')
  const conflicts: TextConflict[] = []
  for (let start = 0; start < lines.length; start += 1) {
    if (!/^<{7} /.test(lines[start] ?? '')) continue
    const middle = lines.findIndex((line, index) => index > start && /^={7}\r?$/.test(line))
    const end = middle < 0 ? -1 : lines.findIndex((line, index) => index > middle && /^>{7} /.test(line))
    if (end < 0) break
    const [ours, theirs] = [lines.slice(start + 1, middle), lines.slice(middle + 1, end)]
    conflicts.push({ ours, theirs, start, end })
    start = end
  }
  return conflicts
}

/** The text with one of its conflicts replaced by the lines of a side. */
export function resolved(text: string, { ours, theirs, start, end }: TextConflict, side: Side): string {
  const lines = text.split('\n')
  const chosen = { ours, theirs, both: [...ours, ...theirs] }[side]
  return [...lines.slice(0, start), ...chosen, ...lines.slice(end + 1)].join('\n')
}
