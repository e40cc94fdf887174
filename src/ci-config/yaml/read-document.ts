import {
  Composer,
  type CST,
  type Document,
  Lexer,
  LineCounter,
  Parser,
  type ScalarTag,
  type YAMLError,
  type YAMLSeq,
} from 'yaml'

import { type ConfigError, invalid, type SourceLocation } from '../errors.js'
import { limits } from '../limits.js'
import { NODE_SIZE } from './config-value.js'
import type { SourceText } from './origins.js'
import { scalarTags } from './scalar-tags.js'
import type { DocumentText } from './split-documents.js'

/** Kept by its tag; what is inside is looked at when the node becomes a value. */
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

/** Too deep to be parsed on the stack, whatever it says: more than any value within the limit needs. */
const OPEN_NODES = 3 * limits.yamlDepth

/** So many words and signs stand for more nodes than the limit of bytes allows. */
const LEXEMES = 4 * (limits.yamlBytes / NODE_SIZE)

/** The nodes of one YAML document, and where they stand in its file. */
export interface DocumentNodes {
  document: Document.Parsed | undefined
  source: SourceText
}

/** `file` is what problems call the file. Throws `ConfigError`. */
export function readDocument(written: DocumentText, file: string): DocumentNodes {
  const { text } = written
  const lines = new LineCounter()
  const composer = new Composer(schema)
  const [document] = [...composer.compose(tokensOf(text, lines), false, text.length)]
  const source = { locationOf: (offset: number) => locationOf(offset, lines, written, file) }
  const problem = document?.errors[0] ?? document?.warnings.find(({ code }) => code === 'TAG_RESOLVE_FAILED')
  if (problem) throw refusal(problem, source)
  return { document, source }
}

/** Stops as soon as the text is out of bounds: what comes after works on the stack, and slowly. */
function* tokensOf(text: string, lines: LineCounter): Generator<CST.Token> {
  const parser = new Parser(lines.addNewLine)
  let lexemes = 0
  lines.addNewLine(0)
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme)
    if (!/^[\s#]/.test(lexeme)) lexemes += 1
    if (parser.stack.length > OPEN_NODES || lexemes > LEXEMES) throw invalid('The parsed YAML is too big')
  }
  yield* parser.end()
}

function refusal(problem: YAMLError, source: SourceText): ConfigError {
  const message = problem.message.trim() || 'Invalid YAML syntax'
  const location = source.locationOf(problem.pos[0])
  if (message.startsWith('Tried to load')) return invalid(message, [], location)
  return invalid(`${message} at line ${location.line} column ${location.column}`, [], location)
}

function locationOf(offset: number, lines: LineCounter, written: DocumentText, file: string): SourceLocation {
  const { line, col } = lines.linePos(offset)
  const column = line === 1 ? col + written.firstColumn - 1 : col
  return { file, line: line + written.firstLine - 1, column }
}
