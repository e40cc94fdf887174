import { invalid } from '../../errors.js'
import { limits } from '../../limits.js'
import { NODE_SIZE } from '../config-value.js'
import type { YamlList, YamlMap, YamlNode, YamlScalar } from '../yaml-node.js'
import {
  AMPERSAND,
  BANG,
  CLOSE_LIST,
  CLOSE_MAP,
  COLON,
  COMMA,
  Cursor,
  DOUBLE_QUOTE,
  GREATER,
  HASH,
  NEWLINE,
  OPEN_LIST,
  OPEN_MAP,
  PIPE,
  SINGLE_QUOTE,
  STAR,
  UnclosedQuoteError,
} from './cursor.js'
import { abortSimple, NotSimpleError } from './not-simple.js'
import { readBlock, readFlowPlain, readPlain, readQuoted } from './read-scalars.js'
import { plainValue, textInQuotes } from './scalar-text.js'

/** Deeper than any value within the limit, however the library would parse it (yaml/read-document.ts). */
const DEPTH_OF_ANY = 3 * limits.yamlDepth

/** Characters that need the library: unusual line ends and blanks, document markers and directives. */
const UNUSUAL = /[\r\0\uFEFF\u0085\u2028\u2029]|^(?:---|\.\.\.|%)/m

const MAX_KEY_LENGTH = 1000

/**
 * Parses documents in the style of most CI files in one pass, without the data that the library needs to
 * report problems and rewrite texts. Returns undefined for any other document, valid or not; the library then
 * parses it and reports problems.
 *
 * The library needs 3 ms for 100 lines and 37 ms for 2,000 lines, in which the coordinator serves nobody; this
 * needs 0.15 and 2.2 ms (`npm run bench -- benchCompile`: all 500 jobs of a file take less than the library takes to parse it).
 *
 * The exception is an unclosed quote, for which the library is slow. The results equal those of the library
 * (test/ci-config/read-simple-document.test.ts). Throws `ConfigError` above the limits of bytes and depth.
 *
 *     key: value            plain, 'single', "double", | and >, also on several lines
 *     key: &anchor {…}      flow maps and lists, anchors, *aliases, !reference […]
 *     - item                lists, also at the indentation of their key, and maps that start after the dash
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
  /** Absent if it contains only comments. */
  root?: YamlNode
  /** The unclosed quote, which is the problem of the document and ends the parsing. */
  unclosed?: string
}

class SimpleReader extends Cursor {
  /** A lower bound of the size of the values by the estimate of `valueOf`. */
  private size = 0
  private depth = 0
  private deepest = 0

  read(): YamlNode | undefined {
    this.toContent()
    if (this.isAtEnd()) return undefined
    if (this.column !== 0 || this.atDash()) abortSimple()
    const root = this.code() === OPEN_MAP ? this.value(-1) : this.map(0)
    return this.isAtEnd() && this.deepest <= limits.yamlDepth ? root : abortSimple()
  }

  /** Reads the node at `pos`, which is at `column`; continuation lines are indented more than `parent`. */
  private node(parent: number, column: number): YamlNode {
    if (this.atDash()) return this.list(column)
    return this.keyEnd() === -1 ? this.value(parent) : this.map(column)
  }

  private map(column: number): YamlMap {
    const entries: YamlMap['entries'] = []
    this.enter()
    do entries.push(this.entry(column))
    while (this.column === column)
    if (this.column > column) abortSimple()
    this.depth -= 1
    return { kind: 'map', entries }
  }

  private entry(column: number): YamlMap['entries'][number] {
    const offset = this.pos
    const end = this.keyEnd()
    if (end === -1 || end - offset > MAX_KEY_LENGTH) abortSimple()
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
    return marks ? abortSimple() : this.scalar(null)
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
      if (this.column <= column) abortSimple()
      const marks = this.marks()
      if (marks && (this.atLineEnd() || this.atDash() || this.keyEnd() !== -1)) abortSimple()
      offsets.push(this.pos)
      items.push(this.marked(this.node(column, this.column), marks))
    } while (this.column === column && this.atDash())
    if (this.column > column) abortSimple()
    this.depth -= 1
    return { kind: 'list', items, offsets }
  }

  /** Reads any value except a map or list in block style. */
  private value(parent: number): YamlNode {
    const code = this.code()
    if (code === PIPE || code === GREATER) return this.scalar(readBlock(this, parent))
    const read = this.flowNode(parent) ?? this.plainScalar(readPlain(this, parent))
    this.endLine()
    return read
  }

  /** Reads values that have the same form in block and flow style; undefined for an unquoted scalar. */
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
        return this.scalar(readQuoted(this, parent))
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
      if (key.kind !== 'scalar' || this.code() !== COLON || this.pos - offset > MAX_KEY_LENGTH) abortSimple()
      this.pos += 1
      // JSON style.
      if (!isQuoted && !this.isBlankAt(this.pos)) abortSimple()
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
    return this.flowNode(parent) ?? this.plainScalar(readFlowPlain(this))
  }

  /** Moves after a comma, or before the closing bracket. */
  private toSeparator(parent: number, close: number): void {
    const code = this.toFlowPart(parent)
    if (code === COMMA) this.pos += 1
    else if (code !== close) abortSimple()
  }

  /** Skips blanks, line ends and comments between brackets; returns the next character code. */
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
    if (this.code() !== NEWLINE && column <= parent && !(closes && column === parent)) abortSimple()
  }

  private alias(): YamlNode {
    const offset = this.pos
    this.pos += 1
    const name = this.name()
    this.enter()
    this.depth -= 1
    return { kind: 'alias', name, offset }
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
      if (!this.isBlankAt(this.pos)) abortSimple()
      this.skipSpaces()
    }
  }

  private marked(node: YamlNode, marks: Marks | undefined): YamlNode {
    if (!marks) return node
    if (node.kind === 'alias' || (marks.isReference && node.kind !== 'list')) abortSimple()
    return { ...node, ...marks }
  }

  private scalarBetween(start: number, end: number): YamlScalar {
    const source = this.text.slice(start, end)
    const code = source.charCodeAt(0)
    if (code === SINGLE_QUOTE) return this.scalar(textInQuotes(source, 'single-quoted-scalar'))
    if (code === DOUBLE_QUOTE) return this.scalar(textInQuotes(source, 'double-quoted-scalar'))
    if (source.includes('\t')) abortSimple()
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
}

interface Marks {
  anchor?: string
  isReference?: true
}
