import { changedWords, type Span } from './changed-words.js'
import type { DiffLine, Hunk, ParsedDiff } from './parse-diff.js'

/** A line as it is shown, with the part of it that has changed. */
export interface ShownLine extends DiffLine {
  changed?: Span | undefined
  /** A reader has opened it: the diff itself does not have it. */
  isOpened?: true
}

/** Lines that a diff leaves out. */
export interface Gap {
  /** Index of the hunk that follows; the number of hunks at the end of the file. */
  index: number
  /** First of the lines that are still hidden, before and after the change, from 1. */
  old: number
  new: number
  /** Number of hidden lines; undefined at the end of a file that has not been read. */
  count: number | undefined
  heading: string
}

export type DiffRow =
  | { kind: 'line'; line: ShownLine }
  | { kind: 'pair'; left: ShownLine | undefined; right: ShownLine | undefined }
  | { kind: 'gap'; gap: Gap }

/** How many lines of a gap are shown again, from its beginning and from its end. */
export interface Opened {
  top: number
  bottom: number
}

export interface DiffRowOptions {
  isSplit: boolean
  /** By the index of the gap. */
  opened?: ReadonlyMap<number, Opened>
  /** The lines of the file after the change, once they have been read. */
  lines?: readonly string[] | undefined
}

/** The rows of the diff of a file. */
export function diffRows({ hunks }: ParsedDiff, { isSplit, opened, lines }: DiffRowOptions): DiffRow[] {
  const rows: DiffRow[] = []
  let old = 1
  let now = 1
  for (const [index, hunk] of hunks.entries()) {
    addGap(rows, {
      gap: { index, old, new: now, count: hunk.newStart - now, heading: hunk.heading },
      opened: opened?.get(index),
      lines,
      isSplit,
    })
    addHunk(rows, hunk, isSplit)
    old = hunk.oldStart + hunk.lines.filter(({ kind }) => kind !== 'added').length
    now = hunk.newStart + hunk.lines.filter(({ kind }) => kind !== 'removed').length
  }
  if (endsInFile(hunks.at(-1))) {
    addGap(rows, {
      gap: {
        index: hunks.length,
        old,
        new: now,
        count: lines && Math.max(0, lines.length - now + 1),
        heading: '',
      },
      opened: opened?.get(hunks.length),
      lines,
      isSplit,
    })
  }
  return rows
}

/** Number of unchanged lines around a change. */
const CONTEXT = 3

/** Whether lines may follow the last hunk: it has all of its context. */
function endsInFile(hunk: Hunk | undefined): boolean {
  const last = hunk?.lines.slice(-CONTEXT) ?? []
  return last.length === CONTEXT && last.every(({ kind, isWithoutEnd }) => kind === 'same' && !isWithoutEnd)
}

interface AddedGap extends Required<Pick<DiffRowOptions, 'isSplit'>> {
  gap: Gap
  opened: Opened | undefined
  lines: readonly string[] | undefined
}

function addGap(rows: DiffRow[], { gap, opened, lines, isSplit }: AddedGap): void {
  const { count } = gap
  if (count === 0) return
  if (!lines || !opened || count === undefined) {
    rows.push({ kind: 'gap', gap })
    return
  }
  const top = Math.min(opened.top, count)
  const bottom = Math.min(opened.bottom, count - top)
  const add = (from: number, end: number) => {
    for (let index = from; index < end; index += 1) {
      const line: ShownLine = {
        kind: 'same',
        text: lines[gap.new + index - 1] ?? '',
        old: gap.old + index,
        new: gap.new + index,
        isOpened: true,
      }
      rows.push(isSplit ? { kind: 'pair', left: line, right: line } : { kind: 'line', line })
    }
  }
  add(0, top)
  if (top + bottom < count) {
    rows.push({
      kind: 'gap',
      gap: { ...gap, old: gap.old + top, new: gap.new + top, count: count - top - bottom },
    })
  }
  add(count - bottom, count)
}

function addHunk(rows: DiffRow[], { lines }: Hunk, isSplit: boolean): void {
  for (let at = 0; at < lines.length;) {
    const line = lines[at]
    if (!line) break
    if (line.kind === 'same') {
      rows.push(isSplit ? { kind: 'pair', left: line, right: line } : { kind: 'line', line })
      at += 1
      continue
    }
    const removed = takeWhile(lines, at, 'removed')
    const added = takeWhile(lines, at + removed.length, 'added')
    at += removed.length + added.length
    addChange(rows, removed, added, isSplit)
  }
}

function addChange(
  rows: DiffRow[],
  removed: readonly DiffLine[],
  added: readonly DiffLine[],
  isSplit: boolean,
): void {
  const words = removed.map((line, index) => {
    const other = added[index]
    return other && changedWords(line.text, other.text)
  })
  const left = removed.map((line, index): ShownLine => ({ ...line, changed: words[index]?.old }))
  const right = added.map((line, index): ShownLine => ({ ...line, changed: words[index]?.new }))
  if (!isSplit) {
    for (const line of [...left, ...right]) rows.push({ kind: 'line', line })
    return
  }
  for (let index = 0; index < Math.max(left.length, right.length); index += 1)
    rows.push({ kind: 'pair', left: left[index], right: right[index] })
}

function takeWhile(lines: readonly DiffLine[], from: number, kind: DiffLine['kind']): DiffLine[] {
  let end = from
  while (lines[end]?.kind === kind) end += 1
  return lines.slice(from, end)
}
