import type { Comparison } from '../../coordinator/hosting/repository-contents/schema.js'
import { digestOf } from './diff-digest.js'
import { type DiffRow, diffRows, type Opened } from './diff-rows.js'
import { ignoreWhitespace } from './ignore-whitespace.js'
import { type LinePosition, positionsOfRow } from './line-positions.js'
import { type ParsedDiff, parseDiff } from './parse-diff.js'
import { widestLine } from './text-lines.js'

export type DiffEntry = Comparison['diffs'][number]

/** A changed file, with its diff taken apart. */
export interface DiffFile {
  entry: DiffEntry
  parsed: ParsedDiff
  digest: string
  /** Width of its widest line, in characters. */
  width: number
  /** In place of lines: why there are none, and what else has changed. */
  notes: string[]
  /** Rows of its content if it has no lines: of pictures, or of the sizes of a binary file. */
  binaryRows: number
}

/** Files that have been taken apart: a long list arrives in pages, with all earlier entries each time. */
const known = { shown: new WeakMap<DiffEntry, DiffFile>(), hidden: new WeakMap<DiffEntry, DiffFile>() }

export function diffFileOf(entry: DiffEntry, hidesWhitespace: boolean): DiffFile {
  const files = known[hidesWhitespace ? 'hidden' : 'shown']
  const file = files.get(entry) ?? takeApart(entry, hidesWhitespace)
  files.set(entry, file)
  return file
}

function takeApart(entry: DiffEntry, hidesWhitespace: boolean): DiffFile {
  const { diff, new_path: path } = entry
  const whole = parseDiff(diff)
  const parsed = hidesWhitespace ? ignoreWhitespace(whole) : whole
  const isBinary = isBinaryChange(entry)
  const notes = notesOf(entry)
  if (parsed.hunks.length === 0 && whole.hunks.length > 0) notes.push('Only white space has changed.')
  return {
    entry,
    parsed,
    digest: digestOf(path, diff),
    width: widestLine(diff.split('\n')),
    notes,
    binaryRows: isBinary ? (PICTURE.test(path) ? PICTURE_ROWS : 1) : 0,
  }
}

const SUBMODULE = '160000'
const PICTURE = /\.(?:avif|bmp|gif|ico|jpe?g|png|webp)$/i
/** The list of rows draws as many beyond those in sight: the first row of a picture shows all of it. */
const PICTURE_ROWS = 12

/** Whether there are no lines because the file is binary, or empty. */
function isBinaryChange({ diff, too_large, renamed_file, ...entry }: DiffEntry): boolean {
  const { a_mode: before, b_mode: after } = entry
  const hasOtherMode = !entry.new_file && !entry.deleted_file && before !== after
  return (
    diff === '' && !too_large && !renamed_file && !hasOtherMode && before !== SUBMODULE && after !== SUBMODULE
  )
}

function notesOf(entry: DiffEntry): string[] {
  const { a_mode: before, b_mode: after } = entry
  const notes: string[] = []
  if (!entry.new_file && !entry.deleted_file && before !== after)
    notes.push(`The mode changed from ${before} to ${after}.`)
  if (entry.too_large) notes.push('The diff is too large to show. Open the file to see it.')
  else if (entry.diff === '' && entry.renamed_file) notes.push('The file was renamed without changes.')
  if (before === SUBMODULE || after === SUBMODULE) notes.push('This is a submodule.')
  return notes
}

/** What a reader has opened of a file. */
export interface FileState {
  isFolded: boolean
  opened: ReadonlyMap<number, Opened>
  /** The lines after the change, once they have been read. */
  lines: readonly string[] | undefined
}

/** Rows of the heading of a file. */
export const HEADER_ROWS = 2

/** A row of the whole diff: of the space above a file, of its heading, or of its content. */
export type WholeRow =
  | { kind: 'space' }
  | { kind: 'header'; file: number; row: number }
  | { kind: 'note'; file: number; text: string }
  | { kind: 'binary'; file: number; row: number }
  | { kind: 'content'; file: number; row: DiffRow }

/** The rows of a file, as they were shown last. */
const shownRows = new WeakMap<DiffFile, { key: readonly unknown[]; rows: readonly DiffRow[] }>()

/** The rows of all files as one list, which is computed file by file as far as something has changed. */
export class WholeDiff {
  private starts: number[] = []
  private states: readonly FileState[] = []
  private isSplit = false
  count = 0

  constructor(private readonly files: readonly DiffFile[]) {}

  layOut(states: readonly FileState[], isSplit: boolean): void {
    this.states = states
    this.isSplit = isSplit
    this.starts = []
    this.count = 0
    for (const [index, file] of this.files.entries()) {
      this.starts.push(this.count)
      this.count += (index === 0 ? 0 : 1) + HEADER_ROWS
      if (!states[index]?.isFolded)
        this.count += file.notes.length + file.binaryRows + this.rowsOf(index).length
    }
  }

  /** The row of the heading of a file. */
  rowOfFile(file: number): number {
    return (this.starts[file] ?? 0) + (file === 0 ? 0 : 1)
  }

  /** The row of a line of a file; undefined if it is not shown. */
  rowOfLine(file: number, { line, side }: Pick<LinePosition, 'line' | 'side'>): number | undefined {
    const { entry, notes = [] } = this.files[file] ?? {}
    if (!entry || this.states[file]?.isFolded) return undefined
    const at = this.rowsOf(file).findIndex((row) =>
      positionsOfRow(row, entry).some((position) => position.line === line && position.side === side),
    )
    return at === -1 ? undefined : this.rowOfFile(file) + HEADER_ROWS + notes.length + at
  }

  /** The file that a row belongs to. */
  fileAt(row: number): number {
    let low = 0
    let high = this.starts.length
    while (low + 1 < high) {
      const middle = (low + high) >> 1
      if ((this.starts[middle] ?? 0) <= row) low = middle
      else high = middle
    }
    return low
  }

  rowAt(index: number): WholeRow | undefined {
    const file = this.fileAt(index)
    let at = index - this.rowOfFile(file)
    if (at < 0) return { kind: 'space' }
    if (at < HEADER_ROWS) return { kind: 'header', file, row: at }
    at -= HEADER_ROWS
    const { notes = [], binaryRows = 0 } = this.files[file] ?? {}
    const note = notes[at]
    if (note !== undefined) return { kind: 'note', file, text: note }
    at -= notes.length
    if (at < binaryRows) return { kind: 'binary', file, row: at }
    const row = this.rowsOf(file)[at]
    return row && { kind: 'content', file, row }
  }

  private rowsOf(index: number): readonly DiffRow[] {
    const file = this.files[index]
    if (!file) return []
    const { opened, lines } = this.states[index] ?? {}
    const key = [this.isSplit, opened, lines]
    const before = shownRows.get(file)
    if (before && before.key.every((part, at) => part === key[at])) return before.rows
    const rows = diffRows(file.parsed, { isSplit: this.isSplit, ...(opened && { opened }), lines })
    shownRows.set(file, { key, rows })
    return rows
  }
}
