import { limits } from '../limits.js'
import type { Expression, Operator } from './expression.js'
import type { PatternWork } from './pattern-work.js'

/** A token of an expression: an operand or an operator. */
export type Token = { kind: 'operand'; operand: Expression } | { kind: 'sign'; sign: Sign }

export type Sign = '(' | ')' | '!' | Operator

/** The tokens of an expression; undefined for an unknown token or too many (CI language, 7.3). */
export function tokenize(text: string, patterns: PatternWork): Token[] | undefined {
  const tokens: Token[] = []
  for (let at = skipBlanks(text, 0); at < text.length;) {
    const scanned = scan(text, at, patterns)
    if (!scanned || tokens.length === limits.expressionTokens) return undefined
    tokens.push(scanned.token)
    at = skipBlanks(text, scanned.end)
  }
  return tokens
}

interface Scanned {
  token: Token
  end: number
}

/** Reads the token at the position; the first scanner that matches wins. */
function scan(text: string, at: number, patterns: PatternWork): Scanned | undefined {
  switch (text[at]) {
    case '$':
      return scanReference(text, at)
    case '"':
    case "'":
      return scanText(text, at)
    case '/':
      return scanPattern(text, at, patterns)
    default:
      return scanWord(text, at) ?? scanSign(text, at)
  }
}

const BLANKS = /\s*/y
const INPUT = /\$\[\[\s*inputs\.(?<name>[\w-]+)\s*\]\]/y
const VARIABLE = /\$(?<name>\w+)/y
const WORD = /(?:null|true|false)\b/y
const FLAGS = /[ismU]*/y

const WORDS = new Map([
  ['null', null],
  ['true', true],
  ['false', false],
])

/** Longer ones first: `!=` is not `!`. */
const SIGNS: readonly Sign[] = ['==', '=~', '!=', '!~', '&&', '||', '(', ')', '!']

function skipBlanks(text: string, at: number): number {
  BLANKS.lastIndex = at
  BLANKS.exec(text)
  return BLANKS.lastIndex
}

function scanReference(text: string, at: number): Scanned | undefined {
  const input = nameAt(INPUT, text, at)
  if (input) return operand({ kind: 'input', name: input.name }, input.end)
  const variable = nameAt(VARIABLE, text, at)
  return variable && operand({ kind: 'variable', name: variable.name }, variable.end)
}

/** Reads up to the next quote of the same kind on the same line; there is no escape character. */
function scanText(text: string, at: number): Scanned | undefined {
  const end = text.indexOf(text[at] ?? '', at + 1)
  if (end === -1) return undefined
  const value = text.slice(at + 1, end)
  return value.includes('\n') ? undefined : operand({ kind: 'value', value }, end + 1)
}

/** Reads up to the first `/` without a backslash before it; at least two characters must be between. */
function scanPattern(text: string, at: number, patterns: PatternWork): Scanned | undefined {
  let slash = text.indexOf('/', at + 1)
  while (slash !== -1 && text[slash - 1] === '\\') slash = text.indexOf('/', slash + 1)
  if (slash - at < 3) return undefined
  FLAGS.lastIndex = slash + 1
  FLAGS.exec(text)
  const end = FLAGS.lastIndex
  const literal = text.slice(at, end)
  const regex = patterns.parse(literal)
  if (regex === undefined || regex === 'invalid') return undefined
  return operand({ kind: 'pattern', pattern: { text: literal, regex } }, end)
}

function scanWord(text: string, at: number): Scanned | undefined {
  WORD.lastIndex = at
  const word = WORD.exec(text)?.[0]
  const value = word === undefined ? undefined : WORDS.get(word)
  return value === undefined ? undefined : operand({ kind: 'value', value }, WORD.lastIndex)
}

function scanSign(text: string, at: number): Scanned | undefined {
  const sign = SIGNS.find((candidate) => text.startsWith(candidate, at))
  return sign && { token: { kind: 'sign', sign }, end: at + sign.length }
}

function nameAt(pattern: RegExp, text: string, at: number): { name: string; end: number } | undefined {
  pattern.lastIndex = at
  const name = pattern.exec(text)?.groups?.name
  return name === undefined ? undefined : { name, end: pattern.lastIndex }
}

function operand(expression: Expression, end: number): Scanned {
  return { token: { kind: 'operand', operand: expression }, end }
}
