import {
  Composer,
  type CST,
  Lexer,
  LineCounter,
  Parser,
  type ScalarTag,
  type YAMLError,
  type YAMLSeq,
} from 'yaml'

import { type ConfigError, invalid, type SourceLocation } from '../errors.js'
import { limits } from '../limits.js'
import { libraryNodes } from './library-nodes.js'
import type { SourceText } from './origins.js'
import { scalarTags } from './scalar-tags.js'
import { readSimpleDocument } from './simple/read-simple-document.js'
import type { DocumentText } from './split-documents.js'
import type { YamlNode } from './yaml-node.js'

/** Kept with its tag; the content is read when the node is converted to a value. */
const referenceTag = {
  tag: '!reference',
  collection: 'seq' as const,
  resolve: (sequence: YAMLSeq) => sequence,
}

const schema = {
  version: '1.1' as const,
  schema: 'failsafe',
  customTags: [...(scalarTags satisfies ScalarTag[]), referenceTag],
  resolveKnownTags: false,
  merge: false,
  uniqueKeys: false,
  prettyErrors: false,
}

/** Depth at which the parser stops to protect the stack: more than any value within the limit needs. */
const OPEN_NODES = 3 * limits.yamlDepth

/** The nodes of one YAML document and their offsets in the file. */
export interface DocumentNodes {
  /** Absent if it contains only comments. */
  root?: YamlNode
  source: SourceText
}

/** `file` is the name of the file in problems. Throws `ConfigError`. */
export function readDocument(written: DocumentText, file: string): DocumentNodes {
  const simple = readSimpleDocument(written.text)
  if (!simple) return readByLibrary(written, file)
  const source = lazySource(written, file)
  const { root, unclosed } = simple
  if (unclosed !== undefined) throw refusalAt(`Missing closing ${unclosed}quote`, written.text.length, source)
  return { source, ...(root && { root }) }
}

/** Parses any document with the YAML library. Throws `ConfigError` with its problems. */
export function readByLibrary(written: DocumentText, file: string): DocumentNodes {
  const { text } = written
  const lines = new LineCounter()
  const composer = new Composer(schema)
  const [document] = [...composer.compose(tokensOf(text, lines), false, text.length)]
  const source = { locationOf: (offset: number) => locate(offset, lines, written, file) }
  const problem = document?.errors[0] ?? document?.warnings.find(({ code }) => code === 'TAG_RESOLVE_FAILED')
  if (problem) throw refusal(problem, source)
  const root = document && libraryNodes(document)
  return { source, ...(root && { root }) }
}

/** Computes line numbers only when a problem needs them. */
function lazySource(written: DocumentText, file: string): SourceText {
  let lines: LineCounter | undefined
  return { locationOf: (offset) => locate(offset, (lines ??= linesOf(written.text)), written, file) }
}

function linesOf(text: string): LineCounter {
  const lines = new LineCounter()
  lines.addNewLine(0)
  for (const { index } of text.matchAll(/\n/g)) lines.addNewLine(index + 1)
  return lines
}

/** Stops as soon as the text exceeds the limits, because later steps are recursive. */
function* tokensOf(text: string, lines: LineCounter): Generator<CST.Token> {
  const parser = new Parser(lines.addNewLine)
  lines.addNewLine(0)
  for (const lexeme of lexemesOf(text)) {
    yield* parser.next(lexeme)
    if (parser.stack.length > OPEN_NODES) throw invalid('The parsed YAML is too big')
  }
  yield* parser.end()
}

/** Counts the tokens before they are parsed, which takes ten times as long. */
function lexemesOf(text: string): string[] {
  const lexemes: string[] = []
  for (const lexeme of new Lexer().lex(text)) {
    lexemes.push(lexeme)
    if (lexemes.length > limits.yamlLexemes) throw invalid('The parsed YAML is too big')
  }
  return lexemes
}

function refusal(problem: YAMLError, source: SourceText): ConfigError {
  const message = problem.message.trim() || 'Invalid YAML syntax'
  if (message.startsWith('Tried to load')) return invalid(message, [], source.locationOf(problem.pos[0]))
  return refusalAt(message, problem.pos[0], source)
}

function refusalAt(message: string, offset: number, source: SourceText): ConfigError {
  const location = source.locationOf(offset)
  return invalid(`${message} at line ${location.line} column ${location.column}`, [], location)
}

function locate(offset: number, lines: LineCounter, written: DocumentText, file: string): SourceLocation {
  const { line, col } = lines.linePos(offset)
  const column = line === 1 ? col + written.firstColumn - 1 : col
  return { file, line: line + written.firstLine - 1, column }
}
