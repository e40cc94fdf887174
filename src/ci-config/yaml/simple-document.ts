import { invalid } from '../errors.js'
import { limits } from '../limits.js'
import { NODE_SIZE } from './config-value.js'
import {
  blockScalarText,
  flowScalarText,
  giveUp,
  NotSimpleError,
  plainValue,
  textInQuotes,
} from './simple-scalars.js'
import type { YamlList, YamlMap, YamlNode, YamlScalar } from './yaml-node.js'

/** Deeper than any value within the limit, whatever the library would read there (yaml/read-document.ts). */
const DEPTH_OF_ANY = 3 * limits.yamlDepth

/** What the library reads with rules of its own: other line ends and blanks, marks of documents and directives. */
const UNUSUAL = /[\r\0\uFEFF\u0085\u2028\u2029]|^(?:---|\.\.\.|%)/m

const LONGEST_KEY = 1000

const [NEWLINE, SPACE, HASH, COLON] = [10, 32, 35, 58]
const [DASH, COMMA, STAR, AMPERSAND, BANG] = [45, 44, 42, 38, 33]
const [SINGLE_QUOTE, DOUBLE_QUOTE, BACKSLASH] = [39, 34, 92]
const [OPEN_LIST, CLOSE_LIST, OPEN_MAP, CLOSE_MAP] = [91, 93, 123, 125]
const [PIPE, GREATER, QUESTION] = [124, 62, 63]
const TAB = 9

/** No scalar without quotes begins with one of these. */
const INDICATORS = new Set(Array.from(',[]{}#&*!|>\'"%@`', (character) => character.charCodeAt(0)))
const FLOW_INDICATORS = new Set([COMMA, OPEN_LIST, CLOSE_LIST, OPEN_MAP, CLOSE_MAP])

/**
 * Reads a document that is written as most CI files are, in one pass and without what the library needs to report and
 * rewrite texts. Undefined for any other document, right or wrong: the library reads it then, and tells what is wrong
 * (a quote that is not closed apart, for which it takes long). What is
 * read here is the same as the library reads (test/ci-config/simple-document.test.ts). Throws `ConfigError` for more than
 * the limits of bytes and depth allow.
 *
 *     key: value            plain, 'single', "double", | and >, also on several lines
 *     key: &anchor {…}      flow maps and lists, anchors, *aliases, !reference […]
 *     - item                lists, also at the indentation of their key, and maps that begin behind the dash
 */
export function readSimpleDocument(text: string): SimpleDocument | undefined {
  if (UNUSUAL.test(text)) return undefined
  try {
    const root = new SimpleReader(text).read()
    return root ? { root } : {}
  } catch (error) {
    if (error instanceof NotSimpleError) return undefined
    if (error instanceof UnclosedQuoteError) return { unclosed: error.quote }
    throw error
  }
}

export interface SimpleDocument {
  /** Absent when it holds nothing but comments. */
  root?: YamlNode
  /** The quote that no other one closes: what is wrong with the document, which is over then. */
  unclosed?: string
}

class UnclosedQuoteError extends Error {
  override readonly name = 'UnclosedQuoteError'

  constructor(readonly quote: string) {
    super(`Missing closing ${quote}`)
  }
}

class SimpleReader {
  private pos = 0
  /** Where the line begins that `pos` is on. */
  private lineStart = 0
  /** Of what comes next, when `pos` is at the first character of a line that is no comment; -1 at the end. */
  private column = 0
  /** At least what the values are going to take by the estimate of `valueOf`. */
  private size = 0
  private depth = 0
  private deepest = 0
  /** Where the quote that was looked at last begins and ends. */
  private lastQuote = { start: -1, end: -1 }

  constructor(private readonly text: string) {}

  read(): YamlNode | undefined {
    this.toContent()
    if (this.isAtEnd()) return undefined
    if (this.column !== 0 || this.atDash()) giveUp()
    const root = this.code() === OPEN_MAP ? this.value(-1) : this.map(0)
    return this.isAtEnd() && this.deepest <= limits.yamlDepth ? root : giveUp()
  }

  /** What begins at `pos`, which is at `column`; lines that go on with it are indented more than `parent`. */
  private node(parent: number, column: number): YamlNode {
    if (this.atDash()) return this.list(column)
    return this.keyEnd() === -1 ? this.value(parent) : this.map(column)
  }

  private map(column: number): YamlMap {
    const entries: YamlMap['entries'] = []
    this.enter()
    do entries.push(this.entry(column))
    while (this.column === column)
    if (this.column > column) giveUp()
    this.depth -= 1
    return { kind: 'map', entries }
  }

  private entry(column: number): YamlMap['entries'][number] {
    const offset = this.pos
    const end = this.keyEnd()
    if (end === -1 || end - offset > LONGEST_KEY) giveUp()
    const key = this.scalarBetween(offset, end)
    this.pos = end + 1
    return { key, offset, value: this.valueOfKey(column) }
  }

  private valueOfKey(column: number): YamlNode {
    this.skipSpaces()
    const marks = this.marks()
    if (!this.atLineEnd()) return this.marked(this.value(column), marks)
    this.endLine()
    const isList = this.column === column && this.atDash()
    if (isList || this.column > column) {
      return this.marked(isList ? this.list(column) : this.node(column, this.column), marks)
    }
    return marks ? giveUp() : this.scalar(null)
  }

  private list(column: number): YamlList {
    const items: YamlNode[] = []
    const offsets: number[] = []
    this.enter()
    do {
      this.pos += 1
      this.skipSpaces()
      if (this.atLineEnd()) this.endLine()
      else this.column = this.pos - this.lineStart
      if (this.column <= column) giveUp()
      const marks = this.marks()
      if (marks && (this.atLineEnd() || this.atDash() || this.keyEnd() !== -1)) giveUp()
      offsets.push(this.pos)
      items.push(this.marked(this.node(column, this.column), marks))
    } while (this.column === column && this.atDash())
    if (this.column > column) giveUp()
    this.depth -= 1
    return { kind: 'list', items, offsets }
  }

  /** Anything but a map or list whose parts stand on lines of their own. */
  private value(parent: number): YamlNode {
    const code = this.code()
    if (code === PIPE || code === GREATER) return this.blockScalar(parent)
    const read = this.flowNode(parent) ?? this.plain(parent)
    this.endLine()
    return read
  }

  /** What looks the same in a line of its own and between brackets; undefined for a scalar without quotes. */
  private flowNode(parent: number): YamlNode | undefined {
    switch (this.code()) {
      case OPEN_LIST:
        return this.flowList(parent)
      case OPEN_MAP:
        return this.flowMap(parent)
      case STAR:
        return this.alias()
      case SINGLE_QUOTE:
      case DOUBLE_QUOTE:
        return this.quoted(parent)
      default:
        return undefined
    }
  }

  private flowList(parent: number): YamlList {
    const items: YamlNode[] = []
    const offsets: number[] = []
    this.enter()
    this.pos += 1
    while (this.toFlowPart(parent) !== CLOSE_LIST) {
      const marks = this.marks()
      offsets.push(this.pos)
      items.push(this.marked(this.flowPart(parent), marks))
      this.toSeparator(parent, CLOSE_LIST)
    }
    this.pos += 1
    this.depth -= 1
    return { kind: 'list', items, offsets }
  }

  private flowMap(parent: number): YamlMap {
    const entries: YamlMap['entries'] = []
    this.enter()
    this.pos += 1
    while (this.toFlowPart(parent) !== CLOSE_MAP) {
      const offset = this.pos
      const isQuoted = this.code() === DOUBLE_QUOTE || this.code() === SINGLE_QUOTE
      const key = this.flowPart(parent)
      if (key.kind !== 'scalar' || this.code() !== COLON || this.pos - offset > LONGEST_KEY) giveUp()
      this.pos += 1
      // As JSON is written.
      if (!isQuoted && !this.isBlankAt(this.pos)) giveUp()
      this.toFlowPart(parent)
      const marks = this.marks()
      entries.push({ key, offset, value: this.marked(this.flowPart(parent), marks) })
      this.toSeparator(parent, CLOSE_MAP)
    }
    this.pos += 1
    this.depth -= 1
    return { kind: 'map', entries }
  }

  private flowPart(parent: number): YamlNode {
    return this.flowNode(parent) ?? this.flowPlain()
  }

  /** Past a comma, or before the bracket that closes. */
  private toSeparator(parent: number, close: number): void {
    const code = this.toFlowPart(parent)
    if (code === COMMA) this.pos += 1
    else if (code !== close) giveUp()
  }

  /** Past blanks, line ends and comments between brackets; the code of what comes then. */
  private toFlowPart(parent: number): number {
    for (;;) {
      this.skipSpaces()
      const code = this.code()
      if (code === HASH) this.skipComment()
      else if (code !== NEWLINE) return code
      if (this.code() === NEWLINE) this.toFlowLine(parent)
    }
  }

  private toFlowLine(parent: number): void {
    this.lineStart = this.pos += 1
    this.skipSpaces()
    const column = this.pos - this.lineStart
    const closes = this.code() === CLOSE_LIST || this.code() === CLOSE_MAP
    if (this.code() !== NEWLINE && column <= parent && !(closes && column === parent)) giveUp()
  }

  private flowPlain(): YamlScalar {
    const { text, pos: start } = this
    if (!this.startsPlain()) giveUp()
    let end = start
    for (let i = start; ; i++) {
      const code = text.charCodeAt(i)
      if (code === SPACE) continue
      if (code === COMMA || code === CLOSE_LIST || code === CLOSE_MAP) break
      if (code === COLON && (this.isBlankAt(i + 1) || FLOW_INDICATORS.has(text.charCodeAt(i + 1)))) break
      if (code === HASH && this.isBlankAt(i - 1)) break
      if (code === NEWLINE && this.partEndsBefore(i)) break
      // What goes on in the next line, or at a bracket, is a case for the library.
      if (!(code > SPACE) || code === OPEN_LIST || code === OPEN_MAP) giveUp()
      end = i + 1
    }
    this.pos = end
    this.skipSpaces()
    return this.plainScalar(text.slice(start, end))
  }

  /** Whether the next thing behind a line end closes the brackets or begins another part of them. */
  private partEndsBefore(lineEnd: number): boolean {
    let i = lineEnd
    while (this.text.charCodeAt(i) === SPACE || this.text.charCodeAt(i) === NEWLINE) i += 1
    const code = this.text.charCodeAt(i)
    return code === COMMA || code === CLOSE_LIST || code === CLOSE_MAP
  }

  private alias(): YamlNode {
    const offset = this.pos
    this.pos += 1
    const name = this.name()
    this.enter()
    this.depth -= 1
    return { kind: 'alias', name, offset }
  }

  private quoted(parent: number): YamlScalar {
    const { text, pos: start } = this
    const type = this.code() === SINGLE_QUOTE ? 'single-quoted-scalar' : 'double-quoted-scalar'
    const end = this.closingQuote()
    this.pos = end
    const source = text.slice(start, end)
    if (source.includes('\n')) this.checkLines(start, end, parent)
    return this.scalar(textInQuotes(source, type))
  }

  /** Every line after the first is indented more than `parent`. */
  private checkLines(start: number, end: number, parent: number): void {
    const { text } = this
    for (
      let line = text.indexOf('\n', start);
      line !== -1 && line < end;
      line = text.indexOf('\n', line + 1)
    ) {
      this.lineStart = line + 1
      let i = line + 1
      while (text.charCodeAt(i) === SPACE) i += 1
      const isBlank = text.charCodeAt(i) === NEWLINE
      if (!isBlank && (i - this.lineStart <= parent || text.charCodeAt(i) === TAB)) giveUp()
    }
  }

  /** A scalar without quotes, and the lines that go on with it. */
  private plain(parent: number): YamlScalar {
    const { text, pos: start } = this
    if (!this.startsPlain()) giveUp()
    let end = this.plainLine()
    if (end === -1) giveUp()
    let isOneLine = true
    while (this.code() === NEWLINE && this.goesOn(parent)) {
      isOneLine = false
      end = this.plainLine()
      if (end === -1) giveUp()
    }
    this.pos = end
    const source = text.slice(start, end)
    return isOneLine ? this.plainScalar(source) : this.plainScalar(flowScalarText({ type: 'scalar', source }))
  }

  /** Where the text of a line ends, `pos` being set to the line end or comment then; -1 if it is no part of a scalar. */
  private plainLine(): number {
    const { text } = this
    let end = this.pos
    for (let i = this.pos; ; i++) {
      const code = text.charCodeAt(i)
      if (code === SPACE) continue
      if (code === NEWLINE || i >= text.length || (code === HASH && this.isBlankAt(i - 1))) {
        this.pos = i
        return end
      }
      if (code === TAB || (code === COLON && this.isBlankAt(i + 1))) return -1
      end = i + 1
    }
  }

  /** Whether the next line with text belongs to the scalar of this one; `pos` is there then. */
  private goesOn(parent: number): boolean {
    const { text } = this
    let line = this.pos + 1
    let i = line
    for (;;) {
      while (text.charCodeAt(i) === SPACE) i += 1
      if (text.charCodeAt(i) !== NEWLINE) break
      line = i += 1
    }
    if (i >= text.length || i - line <= parent) return false
    if (text.charCodeAt(i) === HASH || text.charCodeAt(i) === TAB) giveUp()
    this.pos = i
    this.lineStart = line
    return true
  }

  private blockScalar(parent: number): YamlScalar {
    const { text, pos: start } = this
    const lineEnd = text.indexOf('\n', start)
    const header = /^[|>]-?(?= *(?: #.*)?$)/.exec(text.slice(start, lineEnd))?.[0]
    if (lineEnd === -1 || header === undefined) giveUp()
    const end = this.blockEnd(lineEnd + 1, parent)
    const source = text.slice(lineEnd + 1, end)
    if (source.trim() === '' || /^ *\t/m.test(source)) giveUp()
    this.pos = end
    this.toContent()
    return this.scalar(blockScalarText(header, source))
  }

  /** Past the last line with text that is indented more than `parent`. */
  private blockEnd(start: number, parent: number): number {
    const { text } = this
    let end = start
    let indent = parent
    for (let line = start; line < text.length;) {
      let i = line
      while (text.charCodeAt(i) === SPACE) i += 1
      const isBlank = i >= text.length || text.charCodeAt(i) === NEWLINE
      // Blanks behind the indentation are text.
      if (isBlank && i - line > indent) giveUp()
      if (!isBlank && i - line <= parent) break
      const next = text.indexOf('\n', i)
      line = next === -1 ? text.length : next + 1
      if (isBlank) continue
      if (end === start) indent = i - (text.lastIndexOf('\n', i - 1) + 1)
      end = line
    }
    return end
  }

  /** An anchor and a tag in front of a value. */
  private marks(): Marks | undefined {
    let marks: Marks | undefined
    for (;;) {
      const code = this.code()
      if (code === AMPERSAND && marks?.anchor === undefined) {
        this.pos += 1
        marks = { ...marks, anchor: this.name() }
      } else if (code === BANG && !marks?.isReference && this.text.startsWith('!reference ', this.pos)) {
        this.pos += '!reference'.length
        marks = { ...marks, isReference: true }
      } else return marks
      if (!this.isBlankAt(this.pos)) giveUp()
      this.skipSpaces()
    }
  }

  private marked(node: YamlNode, marks: Marks | undefined): YamlNode {
    if (!marks) return node
    if (node.kind === 'alias' || (marks.isReference && node.kind !== 'list')) giveUp()
    return { ...node, ...marks }
  }

  /** Of an anchor. */
  private name(): string {
    const { text, pos: start } = this
    while (text.charCodeAt(this.pos) > SPACE && !FLOW_INDICATORS.has(text.charCodeAt(this.pos))) this.pos += 1
    return this.pos === start ? giveUp() : text.slice(start, this.pos)
  }

  /** The colon behind the key that begins here; -1 when it is none. */
  private keyEnd(): number {
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
      if (at === COLON && this.isBlankAt(i + 1)) return this.isBlankAt(i - 1) ? giveUp() : i
      if (at === NEWLINE || (at === HASH && this.isBlankAt(i - 1))) return -1
    }
    return -1
  }

  /** Past the quote that closes the one at `pos`. */
  private closingQuote(): number {
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
   * All that comes before is right, so this is the first thing that is wrong; unless an escape is, which the library tells.
   * It takes a quote at the end for the closing one, though, even when that is escaped.
   */
  private unclosed(quote: string, from: number): Error {
    const { text } = this
    const mayBeEscape = quote === '"' && text.includes('\\', from) && !text.endsWith(quote)
    return mayBeEscape ? new NotSimpleError() : new UnclosedQuoteError(quote)
  }

  private scalarBetween(start: number, end: number): YamlScalar {
    const source = this.text.slice(start, end)
    const code = source.charCodeAt(0)
    if (code === SINGLE_QUOTE) return this.scalar(textInQuotes(source, 'single-quoted-scalar'))
    if (code === DOUBLE_QUOTE) return this.scalar(textInQuotes(source, 'double-quoted-scalar'))
    if (source.includes('\t')) giveUp()
    return this.plainScalar(source)
  }

  private plainScalar(source: string): YamlScalar {
    const scalar = this.scalar(plainValue(source))
    return source === '<<' ? { ...scalar, isMerge: true } : scalar
  }

  private scalar(value: YamlScalar['value']): YamlScalar {
    this.enter(typeof value === 'string' ? value.length : 0)
    this.depth -= 1
    return { kind: 'scalar', value }
  }

  private enter(characters = 0): void {
    this.size += NODE_SIZE + characters
    this.depth += 1
    this.deepest = Math.max(this.deepest, this.depth)
    if (this.size > limits.yamlBytes || this.depth > DEPTH_OF_ANY) throw invalid('The parsed YAML is too big')
  }

  private isAtEnd(): boolean {
    return this.column === -1
  }

  private code(): number {
    return this.text.charCodeAt(this.pos)
  }

  /** A blank, a line end, or the end. */
  private isBlankAt(index: number): boolean {
    const code = this.text.charCodeAt(index)
    return !(code > SPACE)
  }

  private atDash(): boolean {
    return this.code() === DASH && this.isBlankAt(this.pos + 1)
  }

  private startsPlain(): boolean {
    const code = this.code()
    if (code === DASH || code === QUESTION || code === COLON) {
      const next = this.text.charCodeAt(this.pos + 1)
      return code === DASH && next > SPACE && !FLOW_INDICATORS.has(next)
    }
    return code > SPACE && !INDICATORS.has(code)
  }

  private skipSpaces(): void {
    while (this.code() === SPACE) this.pos += 1
  }

  /** At a line end, a comment behind a blank, or the end. */
  private atLineEnd(): boolean {
    const code = this.code()
    if (code === HASH) return this.isBlankAt(this.pos - 1)
    return code === NEWLINE || this.pos >= this.text.length
  }

  private skipComment(): void {
    if (!this.isBlankAt(this.pos - 1)) giveUp()
    const end = this.text.indexOf('\n', this.pos)
    this.pos = end === -1 ? this.text.length : end
  }

  /** Past the line end that has to be here, and to what comes next. */
  private endLine(): void {
    this.skipSpaces()
    if (!this.atLineEnd()) giveUp()
    if (this.code() === HASH) this.skipComment()
    this.pos += 1
    this.toContent()
  }

  /** From the beginning of a line past empty ones and comments. */
  private toContent(): void {
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
    if (this.code() === TAB) giveUp()
    this.column = this.pos - this.lineStart
  }
}

interface Marks {
  anchor?: string
  isReference?: true
}
