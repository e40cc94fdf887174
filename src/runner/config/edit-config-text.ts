import { stringify } from 'smol-toml'

import type { Table } from './table-reader.js'

/*
 * Edits of the text of a `config.toml` that keep comments and order. They find headers and keys line by line, in
 * the form that runners and administrators write. They do not understand all of TOML, such as a header within a
 * multi-line string or `runners = [{…}]`. The caller must check that the result has the wanted content.
 */

/** Lines from `start` up to, but not including, `end`. */
interface Span {
  start: number
  end: number
}

/** Adds a `[[runners]]` table at the end. */
export function appendEntry(text: string, entry: Table): string {
  const added = stringify({ runners: [entry] })
  return text.trim() === '' ? added : `${text.trimEnd()}\n\n${added}`
}

/** Removes the `[[runners]]` tables at these indexes, counted from 0. */
export function removeEntries(text: string, indexes: readonly number[]): string {
  const lines = text.split('\n')
  const spans = entrySpans(lines).filter((_, index) => indexes.includes(index))
  return lines.filter((_, line) => !spans.some(({ start, end }) => line >= start && line < end)).join('\n')
}

/** Sets keys of the `[[runners]]` table at `index`. A key without a line of its own is added below the header. */
export function setInEntry(text: string, index: number, values: Table): string {
  const lines = text.split('\n')
  const span = entrySpans(lines)[index]
  if (!span) return text
  const own = ownLines(lines, span)
  const missing: string[] = []
  for (const [key, value] of Object.entries(values)) {
    const written = stringify({ [key]: value }).trimEnd()
    const line = own.find((candidate) => keyOf(lines[candidate]) === key)
    if (line === undefined) missing.push(indentationOf(lines[own[0] ?? span.start]) + written)
    else lines[line] = indentationOf(lines[line]) + written
  }
  lines.splice(span.start + 1, 0, ...missing)
  return lines.join('\n')
}

/**
 * Each span reaches from the header to the next header that is not below it. Comments directly above a header
 * belong to that header.
 */
function entrySpans(lines: string[]): Span[] {
  const headers = lines.flatMap((line, index) => (/^\s*\[/.test(line) ? [index] : []))
  const starts = headers.filter((index) => /^\s*\[\[\s*runners\s*\]\]/.test(lines[index] ?? ''))
  return starts.map((start) => {
    const next = headers.find((index) => index > start && !/^\s*\[+\s*runners\s*\./.test(lines[index] ?? ''))
    return { start, end: next === undefined ? lines.length : withoutComments(lines, next) }
  })
}

function withoutComments(lines: string[], header: number): number {
  let end = header
  while (/^\s*#/.test(lines[end - 1] ?? '')) end--
  return end
}

/** The lines of a table before its first sub-table. */
function ownLines(lines: string[], { start, end }: Span): number[] {
  const own: number[] = []
  for (let line = start + 1; line < end && !/^\s*\[/.test(lines[line] ?? ''); line++) own.push(line)
  return own
}

function keyOf(line: string | undefined): string | undefined {
  return /^\s*"?([\w-]+)"?\s*=/.exec(line ?? '')?.[1]
}

function indentationOf(line: string | undefined): string {
  return /^\s*/.exec(line ?? '')?.[0] ?? ''
}
