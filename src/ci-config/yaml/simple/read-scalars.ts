import {
  CLOSE_LIST,
  CLOSE_MAP,
  COLON,
  COMMA,
  type Cursor,
  FLOW_INDICATORS,
  HASH,
  NEWLINE,
  OPEN_LIST,
  OPEN_MAP,
  SINGLE_QUOTE,
  SPACE,
  TAB,
} from './cursor.js'
import { abortSimple } from './not-simple.js'
import { blockScalarText, flowScalarText, textInQuotes } from './scalar-text.js'

// Each function reads a scalar that starts at the cursor, and moves the cursor after it. `parent` is the
// indentation that continuation lines exceed.

/** A scalar without quotes between brackets. */
export function readFlowPlain(cursor: Cursor): string {
  const { text, pos: start } = cursor
  if (!cursor.startsPlain()) abortSimple()
  let end = start
  for (let i = start; ; i++) {
    const code = text.charCodeAt(i)
    if (code === SPACE) continue
    if (code === COMMA || code === CLOSE_LIST || code === CLOSE_MAP) break
    if (code === COLON && (cursor.isBlankAt(i + 1) || FLOW_INDICATORS.has(text.charCodeAt(i + 1)))) break
    if (code === HASH && cursor.isBlankAt(i - 1)) break
    if (code === NEWLINE && partEndsBefore(cursor, i)) break
    // Values that continue on the next line or at a bracket are left to the library.
    if (!(code > SPACE) || code === OPEN_LIST || code === OPEN_MAP) abortSimple()
    end = i + 1
  }
  cursor.pos = end
  cursor.skipSpaces()
  return text.slice(start, end)
}

/** Whether the next token after a line end closes the brackets or starts another part of them. */
function partEndsBefore(cursor: Cursor, lineEnd: number): boolean {
  let i = lineEnd
  while (cursor.text.charCodeAt(i) === SPACE || cursor.text.charCodeAt(i) === NEWLINE) i += 1
  const code = cursor.text.charCodeAt(i)
  return code === COMMA || code === CLOSE_LIST || code === CLOSE_MAP
}

/** The text between quotes. */
export function readQuoted(cursor: Cursor, parent: number): string {
  const { text, pos: start } = cursor
  const type = cursor.code() === SINGLE_QUOTE ? 'single-quoted-scalar' : 'double-quoted-scalar'
  const end = cursor.closingQuote()
  cursor.pos = end
  const source = text.slice(start, end)
  if (source.includes('\n')) checkLines(cursor, start, end, parent)
  return textInQuotes(source, type)
}

/** Every line after the first is indented more than `parent`. */
function checkLines(cursor: Cursor, start: number, end: number, parent: number): void {
  const { text } = cursor
  for (let line = text.indexOf('\n', start); line !== -1 && line < end; line = text.indexOf('\n', line + 1)) {
    cursor.lineStart = line + 1
    let i = line + 1
    while (text.charCodeAt(i) === SPACE) i += 1
    const isBlank = text.charCodeAt(i) === NEWLINE
    if (!isBlank && (i - cursor.lineStart <= parent || text.charCodeAt(i) === TAB)) abortSimple()
  }
}

/** Reads an unquoted scalar with its continuation lines. */
export function readPlain(cursor: Cursor, parent: number): string {
  const { text, pos: start } = cursor
  if (!cursor.startsPlain()) abortSimple()
  let end = plainLine(cursor)
  if (end === -1) abortSimple()
  let isOneLine = true
  while (cursor.code() === NEWLINE && continues(cursor, parent)) {
    isOneLine = false
    end = plainLine(cursor)
    if (end === -1) abortSimple()
  }
  cursor.pos = end
  const source = text.slice(start, end)
  return isOneLine ? source : flowScalarText({ type: 'scalar', source })
}

/**
 * The end of the text in a line; moves `pos` to the line end or comment. -1 if the line is no part of a
 * scalar.
 */
function plainLine(cursor: Cursor): number {
  const { text } = cursor
  let end = cursor.pos
  for (let i = cursor.pos; ; i++) {
    const code = text.charCodeAt(i)
    if (code === SPACE) continue
    if (code === NEWLINE || i >= text.length || (code === HASH && cursor.isBlankAt(i - 1))) {
      cursor.pos = i
      return end
    }
    if (code === TAB || (code === COLON && cursor.isBlankAt(i + 1))) return -1
    end = i + 1
  }
}

/** Whether the next line with text continues the scalar; if so, moves `pos` there. */
function continues(cursor: Cursor, parent: number): boolean {
  const { text } = cursor
  let line = cursor.pos + 1
  let i = line
  for (;;) {
    while (text.charCodeAt(i) === SPACE) i += 1
    if (text.charCodeAt(i) !== NEWLINE) break
    line = i += 1
  }
  if (i >= text.length || i - line <= parent) return false
  if (text.charCodeAt(i) === HASH || text.charCodeAt(i) === TAB) abortSimple()
  cursor.pos = i
  cursor.lineStart = line
  return true
}

/** Reads the text after `|` or `>`; then `cursor` is at the next token. */
export function readBlock(cursor: Cursor, parent: number): string {
  const { text, pos: start } = cursor
  const lineEnd = text.indexOf('\n', start)
  const header = /^[|>]-?(?= *(?: #.*)?$)/.exec(text.slice(start, lineEnd))?.[0]
  if (lineEnd === -1 || header === undefined) abortSimple()
  const end = blockEnd(cursor, lineEnd + 1, parent)
  const source = text.slice(lineEnd + 1, end)
  if (source.trim() === '' || /^ *\t/m.test(source)) abortSimple()
  cursor.pos = end
  cursor.toContent()
  return blockScalarText(header, source)
}

/** The position after the last line with text that is indented more than `parent`. */
function blockEnd(cursor: Cursor, start: number, parent: number): number {
  const { text } = cursor
  let end = start
  let indent = parent
  for (let line = start; line < text.length;) {
    let i = line
    while (text.charCodeAt(i) === SPACE) i += 1
    const isBlank = i >= text.length || text.charCodeAt(i) === NEWLINE
    // Blanks after the indentation are text.
    if (isBlank && i - line > indent) abortSimple()
    if (!isBlank && i - line <= parent) break
    const next = text.indexOf('\n', i)
    line = next === -1 ? text.length : next + 1
    if (isBlank) continue
    if (end === start) indent = i - (text.lastIndexOf('\n', i - 1) + 1)
    end = line
  }
  return end
}
