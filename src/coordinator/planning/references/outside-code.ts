/** A part of a text: `text.slice(start, end)`. */
export interface Span {
  start: number
  end: number
}

const FENCE = /^[ \t]*(?:(?:>|[-*+]|\d{1,9}[.)])[ \t]*)*(`{3,}|~{3,})(.*)$/
const LIST_ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/
const HEADING = /^ {0,3}#{1,6}(?:[ \t]|$)/

interface OpenFence {
  mark: string
  depth: number
}

/**
 * The lines of a Markdown text that are in no code block, without their line ends. Code blocks are fenced, or
 * indented by four columns after an empty line outside of lists. Linear in the length of the text.
 */
export function linesOutsideCode(text: string): Span[] {
  const lines: Span[] = []
  let fence: OpenFence | undefined
  let isInList = false
  let mayIndent = true
  for (const line of linesOf(text)) {
    const content = text.slice(line.start, line.end)
    if (fence && quoteDepth(content) >= fence.depth) {
      if (closes(content, fence.mark)) fence = undefined
      continue
    }
    fence = fenceIn(content)
    if (fence) continue
    const isBlank = content.trim() === ''
    const isItem = LIST_ITEM.test(content)
    if (isItem) isInList = true
    else if (mayIndent && /^ ?\S/.test(content)) isInList = false
    if (mayIndent && !isInList && !isBlank && /^(?: {4}| {0,3}\t)/.test(content)) continue
    mayIndent = isBlank || HEADING.test(content)
    lines.push(line)
  }
  return lines
}

function* linesOf(text: string): Generator<Span> {
  for (let start = 0; start <= text.length;) {
    const at = text.indexOf('\n', start)
    const next = at === -1 ? text.length : at
    const end = next > start && text[next - 1] === '\r' ? next - 1 : next
    yield { start, end }
    start = next + 1
  }
}

function fenceIn(line: string): OpenFence | undefined {
  const [, mark, info = ''] = FENCE.exec(line) ?? []
  if (mark === undefined || (mark.startsWith('`') && info.includes('`'))) return undefined
  return { mark, depth: quoteDepth(line) }
}

function closes(line: string, mark: string): boolean {
  const rest = line.replace(/^[ \t>]*/, '').trimEnd()
  return rest.length >= mark.length && rest === mark.charAt(0).repeat(rest.length)
}

/** Number of `>` at the start of a line. */
function quoteDepth(line: string): number {
  const [prefix = ''] = /^[ \t>]*/.exec(line) ?? []
  return prefix.replaceAll(/[ \t]/g, '').length
}

/** The parts of a Markdown text that are in no code block and no code span. Linear in the length of the text. */
export function partsOutsideCode(text: string): Span[] {
  return paragraphsOf(text).flatMap((paragraph) => withoutCodeSpans(text, paragraph))
}

/** Lines that follow each other. A code span does not reach over their end. */
function paragraphsOf(text: string): Span[] {
  const paragraphs: Span[] = []
  let last: Span | undefined
  for (const line of linesOutsideCode(text)) {
    const content = text.slice(line.start, line.end)
    if (content.trim() === '') {
      last = undefined
      continue
    }
    const begins = LIST_ITEM.test(content) || HEADING.test(content)
    const isNext = last !== undefined && line.start - last.end <= 2
    if (last && isNext && !begins) last.end = line.end
    else paragraphs.push((last = { ...line }))
  }
  return paragraphs
}

interface Backticks {
  at: number
  length: number
  /** Index of the next run of the same length. */
  next: number | undefined
}

function withoutCodeSpans(text: string, { start, end }: Span): Span[] {
  const runs = backticksIn(text.slice(start, end))
  const parts: Span[] = []
  let from = start
  for (let index = 0; index < runs.length;) {
    const closing = closingOf(text, start, runs, index)
    const [opened, closed] = [runs[index], closing === undefined ? undefined : runs[closing]]
    index = (closing ?? index) + 1
    if (!opened || !closed) continue
    parts.push({ start: from, end: start + opened.at })
    from = start + closed.at + closed.length
  }
  parts.push({ start: from, end })
  return parts.filter((part) => part.end > part.start)
}

/** The run that ends the code span which the run at `index` begins. A backslash takes the first backtick away. */
function closingOf(text: string, start: number, runs: Backticks[], index: number): number | undefined {
  const run = runs[index]
  if (!run) return undefined
  if (!isEscaped(text, start + run.at)) return run.next
  if (run.length === 1) return undefined
  const later = runs.slice(index + 1, index + 17).findIndex(({ length }) => length === run.length - 1)
  return later === -1 ? undefined : index + 1 + later
}

/** Whether an odd number of backslashes precedes; 16 of them are looked at. */
export function isEscaped(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 16), at)
  return (/\\*$/.exec(before)?.[0].length ?? 0) % 2 === 1
}

function backticksIn(text: string): Backticks[] {
  const runs = [...text.matchAll(/`+/g)].map(({ index, 0: { length } }): Backticks => ({
    at: index,
    length,
    next: undefined,
  }))
  const nextOfLength = new Map<number, number>()
  for (let index = runs.length - 1; index >= 0; index -= 1) {
    const run = runs[index]
    if (!run) continue
    run.next = nextOfLength.get(run.length)
    nextOfLength.set(run.length, index)
  }
  return runs
}
