import { abortSimple, NotSimpleError } from './not-simple.js'

export const [NEWLINE, SPACE, HASH, COLON] = [10, 32, 35, 58]
export const [COMMA, STAR, AMPERSAND, BANG] = [44, 42, 38, 33]
export const [SINGLE_QUOTE, DOUBLE_QUOTE] = [39, 34]
export const [OPEN_LIST, CLOSE_LIST, OPEN_MAP, CLOSE_MAP] = [91, 93, 123, 125]
export const [PIPE, GREATER] = [124, 62]
const [DASH, BACKSLASH, QUESTION] = [45, 92, 63]
export const TAB = 9

/** No unquoted scalar starts with one of these. */
const INDICATORS = new Set(Array.from(',[]{}#&*!|>\'"%@`', (character) => character.charCodeAt(0)))
export const FLOW_INDICATORS = new Set([COMMA, OPEN_LIST, CLOSE_LIST, OPEN_MAP, CLOSE_MAP])

/** A quote is not closed. */
export class UnclosedQuoteError extends Error {
  override readonly name = 'UnclosedQuoteError'

  constructor(readonly quote: string) {
    super(`Missing closing ${quote}`)
  }
}

/**
 * The position of the simple reader and operations on the text there. Throws `NotSimpleError` where it cannot
 * be certain, and `UnclosedQuoteError` for a quote that is not closed.
 */
export class Cursor {
  pos = 0
  /** The start of the line that contains `pos`. */
  lineStart = 0
  /**
   * Column of the next token, if `pos` is at the first character of a line without a comment; -1 at the end.
   */
  column = 0
  /** The start and end of the last quote that was checked. */
  private lastQuote = { start: -1, end: -1 }

  constructor(readonly text: string) {}

  isAtEnd(): boolean {
    return this.column === -1
  }

  code(): number {
    return this.text.charCodeAt(this.pos)
  }

  /** A blank, a line end, or the end. */
  isBlankAt(index: number): boolean {
    const code = this.text.charCodeAt(index)
    return !(code > SPACE)
  }

  atDash(): boolean {
    return this.code() === DASH && this.isBlankAt(this.pos + 1)
  }

  startsPlain(): boolean {
    const code = this.code()
    if (code === DASH || code === QUESTION || code === COLON) {
      const next = this.text.charCodeAt(this.pos + 1)
      return code === DASH && next > SPACE && !FLOW_INDICATORS.has(next)
    }
    return code > SPACE && !INDICATORS.has(code)
  }

  /** The position of the colon after the key that starts here; -1 if there is no key. */
  keyEnd(): number {
    const { text } = this
    const code = this.code()
    if (code === SINGLE_QUOTE || code === DOUBLE_QUOTE) {
      const end = this.closingQuote()
      const isKey = text.charCodeAt(end) === COLON && this.isBlankAt(end + 1)
      return isKey && !text.slice(this.pos, end).includes('\n') ? end : -1
    }
    if (!this.startsPlain()) return -1
    for (let i = this.pos; i < text.length; i++) {
      const at = text.charCodeAt(i)
      if (at === COLON && this.isBlankAt(i + 1)) return this.isBlankAt(i - 1) ? abortSimple() : i
      if (at === NEWLINE || (at === HASH && this.isBlankAt(i - 1))) return -1
    }
    return -1
  }

  /** The position after the quote that closes the one at `pos`. */
  closingQuote(): number {
    const { pos: start, lastQuote } = this
    if (lastQuote.start === start) return lastQuote.end
    const end =
      this.code() === SINGLE_QUOTE ? this.afterSingleQuote(start + 1) : this.afterDoubleQuote(start + 1)
    this.lastQuote = { start, end }
    return end
  }

  private afterSingleQuote(from: number): number {
    const { text } = this
    for (let i = from; i < text.length; i++) {
      if (text.charCodeAt(i) !== SINGLE_QUOTE) continue
      if (text.charCodeAt(i + 1) !== SINGLE_QUOTE) return i + 1
      i += 1
    }
    throw this.unclosed("'", from)
  }

  private afterDoubleQuote(from: number): number {
    for (let end = this.text.indexOf('"', from); end !== -1; end = this.text.indexOf('"', end + 1)) {
      let escapes = end
      while (this.text.charCodeAt(escapes - 1) === BACKSLASH && escapes > from) escapes -= 1
      if ((end - escapes) % 2 === 0) return end + 1
    }
    throw this.unclosed('"', from)
  }

  /**
   * Everything before is valid, so this is the first error, unless there is an invalid escape, which the
   * library reports. However, the library accepts a final quote as the closing one even if it is escaped.
   */
  private unclosed(quote: string, from: number): Error {
    const { text } = this
    const mayBeEscape = quote === '"' && text.includes('\\', from) && !text.endsWith(quote)
    return mayBeEscape ? new NotSimpleError() : new UnclosedQuoteError(quote)
  }

  /** The name of an anchor. */
  name(): string {
    const { text, pos: start } = this
    while (text.charCodeAt(this.pos) > SPACE && !FLOW_INDICATORS.has(text.charCodeAt(this.pos))) this.pos += 1
    return this.pos === start ? abortSimple() : text.slice(start, this.pos)
  }

  skipSpaces(): void {
    while (this.code() === SPACE) this.pos += 1
  }

  /** Whether the position is at a line end, a comment after a blank, or the end. */
  atLineEnd(): boolean {
    const code = this.code()
    if (code === HASH) return this.isBlankAt(this.pos - 1)
    return code === NEWLINE || this.pos >= this.text.length
  }

  skipComment(): void {
    if (!this.isBlankAt(this.pos - 1)) abortSimple()
    const end = this.text.indexOf('\n', this.pos)
    this.pos = end === -1 ? this.text.length : end
  }

  /** Skips the required line end and moves to the next token. */
  endLine(): void {
    this.skipSpaces()
    if (!this.atLineEnd()) abortSimple()
    if (this.code() === HASH) this.skipComment()
    this.pos += 1
    this.toContent()
  }

  /** Skips empty lines and comments from the start of a line. */
  toContent(): void {
    const { text } = this
    for (;;) {
      this.lineStart = this.pos
      this.skipSpaces()
      const code = this.code()
      if (this.pos >= text.length) {
        this.column = -1
        return
      }
      if (code === HASH) this.skipComment()
      else if (code !== NEWLINE) break
      this.pos += 1
    }
    if (this.code() === TAB) abortSimple()
    this.column = this.pos - this.lineStart
  }
}
