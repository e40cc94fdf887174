/** A part of a text: `text.slice(start, end)`. */
export interface Span {
  start: number
  end: number
}

const FENCE = /^[ \t]*(?:(?:>|[-*+]|\d{1,9}[.)])[ \t]*)*(`{3,}|~{3,})(.*)$/

interface OpenFence {
  mark: string
  depth: number
}

/** What a line is: without text; the start of a heading or of an item of a list; or any other text. */
type LineKind = 'blank' | 'start' | 'text'

type LineVisitor = (start: number, end: number, kind: LineKind) => void

/**
 * Calls `visit` with each line of a Markdown text that is in no code block, without its line end. Code blocks are fenced,
 * or indented by four columns after an empty line outside of lists. Linear in the length of the text.
 */
export function visitLinesOutsideCode(text: string, visit: LineVisitor): void {
  const mayHaveFence = fenceFinder(text)
  let fence: OpenFence | undefined
  let isInList = false
  let mayIndent = true
  for (let start = 0, next; start <= text.length; start = next + 1) {
    next = text.indexOf('\n', start)
    if (next === -1) next = text.length
    const end = next > start && text.charCodeAt(next - 1) === CARRIAGE_RETURN ? next - 1 : next
    if (fence) {
      const content = text.slice(start, end)
      if (quoteDepth(content) >= fence.depth) {
        if (closes(content, fence.mark)) fence = undefined
        continue
      }
    }
    fence = mayHaveFence(start, end) ? fenceIn(text.slice(start, end)) : undefined
    if (fence) continue
    const content = afterBlanks(text, start, end)
    const isBlank = isBlankFrom(text, content, end)
    const isItem = !isBlank && isListItem(text, content, end)
    if (isItem) isInList = true
    else if (mayIndent && !isBlank && isAtStart(text, start, content)) isInList = false
    if (mayIndent && !isInList && !isBlank && isIndented(text, start, content)) continue
    const isTitle = !isBlank && isHeading(text, start, end)
    mayIndent = isBlank || isTitle
    visit(start, end, isBlank ? 'blank' : isItem || isTitle ? 'start' : 'text')
  }
}

const CARRIAGE_RETURN = 13
const SPACE = 32
const TAB = 9
const BACKTICK = 96

/** Whether a line can have the mark of a fence. Lines must be given in their order: each mark is searched for once. */
function fenceFinder(text: string): (start: number, end: number) => boolean {
  const marks = ['```', '~~~'].map((mark) => ({ mark, at: -1 }))
  return (start, end) =>
    marks.some((one) => {
      if (one.at < start) {
        const found = text.indexOf(one.mark, start)
        one.at = found === -1 ? text.length : found
      }
      return one.at < end
    })
}

/** Where the first character is that is neither a space nor a tab. */
function afterBlanks(text: string, start: number, end: number): number {
  let at = start
  while (at < end && isBlankCode(text.charCodeAt(at))) at += 1
  return at
}

function isBlankCode(code: number): boolean {
  return code === SPACE || code === TAB
}

/** Whether only white space of any kind follows. */
function isBlankFrom(text: string, content: number, end: number): boolean {
  if (content === end) return true
  const code = text.charCodeAt(content)
  const isPlain = code > SPACE && code < 128
  return !isPlain && text.slice(content, end).trim() === ''
}

/** `- item`, `1. item`. */
function isListItem(text: string, content: number, end: number): boolean {
  const first = text.charAt(content)
  if (first === '-' || first === '*' || first === '+') return isBlankOrEnd(text, content + 1, end)
  let at = content
  while (at - content < 10 && isDigit(text.charCodeAt(at))) at += 1
  if (at === content || at - content > 9) return false
  const mark = text.charAt(at)
  return (mark === '.' || mark === ')') && isBlankOrEnd(text, at + 1, end)
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

function isBlankOrEnd(text: string, at: number, end: number): boolean {
  return at >= end || isBlankCode(text.charCodeAt(at))
}

/** `## Heading`, after at most three spaces. */
function isHeading(text: string, start: number, end: number): boolean {
  let first = start
  while (first - start < 3 && text.charCodeAt(first) === SPACE) first += 1
  let at = first
  while (at - first < 7 && text.charAt(at) === '#') at += 1
  const level = at - first
  return level >= 1 && level <= 6 && isBlankOrEnd(text, at, end)
}

/** Whether the text of a line begins in its first or second column. */
function isAtStart(text: string, start: number, content: number): boolean {
  return content === start || (content === start + 1 && text.charCodeAt(start) === SPACE)
}

/** Whether the text of a line begins in its fifth column or behind it. */
function isIndented(text: string, start: number, content: number): boolean {
  const columns = text.slice(start, Math.min(content, start + 4))
  return columns.length === 4 || columns.includes('\t')
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
  let depth = 0
  for (let at = 0; ; at += 1) {
    const code = line.charCodeAt(at)
    if (code === 62) depth += 1
    else if (!isBlankCode(code)) return depth
  }
}

/** The parts of a Markdown text that are in no code block and no code span. Linear in the length of the text. */
export function partsOutsideCode(text: string): Span[] {
  if (!text.includes('`')) return blocksOutsideCode(text)
  return paragraphsOf(text).flatMap((paragraph) => withoutCodeSpans(text, paragraph))
}

/** Lines that follow each other, for a text without code spans. */
function blocksOutsideCode(text: string): Span[] {
  const blocks: Span[] = []
  let last: Span | undefined
  visitLinesOutsideCode(text, (start, end) => {
    if (last && start - last.end <= 2) last.end = end
    else blocks.push((last = { start, end }))
  })
  return blocks
}

/** Lines that follow each other. A code span does not reach over their end. */
function paragraphsOf(text: string): Span[] {
  const paragraphs: Span[] = []
  let last: Span | undefined
  visitLinesOutsideCode(text, (start, end, kind) => {
    if (kind === 'blank') {
      last = undefined
      return
    }
    const isNext = last !== undefined && start - last.end <= 2
    if (last && isNext && kind !== 'start') last.end = end
    else paragraphs.push((last = { start, end }))
  })
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
  const runs: Backticks[] = []
  for (let at = text.indexOf('`'); at !== -1;) {
    let end = at + 1
    while (text.charCodeAt(end) === BACKTICK) end += 1
    runs.push({ at, length: end - at, next: undefined })
    at = text.indexOf('`', end)
  }
  const nextOfLength = new Map<number, number>()
  for (let index = runs.length - 1; index >= 0; index -= 1) {
    const run = runs[index]
    if (!run) continue
    run.next = nextOfLength.get(run.length)
    nextOfLength.set(run.length, index)
  }
  return runs
}
