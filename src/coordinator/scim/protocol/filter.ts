import { SwitchyardError } from '../../../lib/errors.js'

/** A filter of RFC 7644, section 3.4.2.2. Names of attributes are in lower case, without the URN of the schema. */
export type Filter =
  | { kind: 'compare'; path: AttributePath; operator: Operator; value: FilterValue }
  | { kind: 'present'; path: AttributePath }
  /** An element of the list meets the filter: `emails[type eq "work"]`. */
  | { kind: 'element'; path: AttributePath }
  | { kind: 'and' | 'or'; filters: readonly Filter[] }
  | { kind: 'not'; filter: Filter }

export type FilterValue = string | number | boolean | null

const OPERATORS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const
export type Operator = (typeof OPERATORS)[number]

/** `emails[type eq "work"].value`: the attribute, which elements of it are meant, and what of them. */
export interface AttributePath {
  attribute: string
  elements: Filter | undefined
  sub: string | undefined
}

/** A filter or path that is not valid. `message` is for the administrator of the provider. */
export class FilterError extends SwitchyardError {
  readonly name = 'FilterError'
  readonly code = 'SCIM_FILTER'
}

/** Longest text of a filter, in characters. */
const MAX_LENGTH = 2000
/** Filters inside one another. */
const MAX_DEPTH = 8
/** Comparisons of a filter. */
const MAX_COMPARISONS = 50

/** Throws `FilterError`. Linear in the length of the text. */
export function parseFilter(text: string): Filter {
  const reader = new FilterReader(tokenize(text))
  const filter = reader.readAny(0)
  reader.expectEnd()
  return filter
}

/** The path of a PATCH (RFC 7644, section 3.5.2). Throws `FilterError`. */
export function parsePath(text: string): AttributePath {
  const reader = new FilterReader(tokenize(text))
  const path = reader.readPath(0)
  reader.expectEnd()
  return path
}

type Token = { kind: 'word'; text: string } | { kind: 'text'; text: string } | { kind: 'sign'; text: string }

/** White space, a text in quotes, a sign, or a word; what is between words of a URN belongs to it. */
const TOKEN = /\s+|"(?:[^"\\]|\\.)*"|[()[\]]|[^\s"()[\]]+/y

function tokenize(text: string): Token[] {
  if (text.length > MAX_LENGTH) throw new FilterError(`it has more than ${MAX_LENGTH} characters`)
  const tokens: Token[] = []
  const pattern = new RegExp(TOKEN)
  while (pattern.lastIndex < text.length) {
    const at = pattern.lastIndex
    const [found] = pattern.exec(text) ?? []
    if (found === undefined) throw new FilterError(`the text that begins at position ${at + 1} has no end`)
    if (found.trim() !== '') tokens.push(tokenOf(found))
  }
  return tokens
}

function tokenOf(found: string): Token {
  if (found.startsWith('"')) return { kind: 'text', text: unquote(found) }
  return { kind: /^[()[\]]$/.test(found) ? 'sign' : 'word', text: found }
}

/** Texts are written as in JSON. */
function unquote(quoted: string): string {
  try {
    return String(JSON.parse(quoted))
  } catch (error) {
    throw new FilterError(`${quoted} is not a text of JSON`, { cause: error })
  }
}

/** Reads recursively: `or` binds less than `and`, and that less than `not`. */
class FilterReader {
  private at = 0
  private comparisons = 0

  constructor(private readonly tokens: readonly Token[]) {}

  expectEnd(): void {
    const rest = this.tokens[this.at]
    if (rest) throw new FilterError(`"${rest.text}" is not expected there`)
  }

  readAny(depth: number): Filter {
    if (depth > MAX_DEPTH) throw new FilterError(`it has more than ${MAX_DEPTH} filters inside one another`)
    return this.readJoined('or', () => this.readJoined('and', () => this.readOne(depth)))
  }

  readPath(depth: number): AttributePath {
    const [attribute, sub] = splitName(this.expect('word'))
    if (!this.takeSign('[')) return { attribute, elements: undefined, sub }
    if (sub !== undefined) throw new FilterError(`"[" is not expected after ${attribute}.${sub}`)
    const elements = this.readAny(depth + 1)
    this.expectSign(']')
    return { attribute, elements, sub: this.takeSub() }
  }

  private readJoined(kind: 'and' | 'or', readNext: () => Filter): Filter {
    const filters = [readNext()]
    while (this.takeWord(kind)) filters.push(readNext())
    const [only] = filters
    return only !== undefined && filters.length === 1 ? only : { kind, filters }
  }

  private readOne(depth: number): Filter {
    const isNegated = this.takeWord('not')
    if (isNegated || this.isSign('(')) {
      this.expectSign('(')
      const filter = this.readAny(depth + 1)
      this.expectSign(')')
      return isNegated ? { kind: 'not', filter } : filter
    }
    return this.readComparison(depth)
  }

  private readComparison(depth: number): Filter {
    if (++this.comparisons > MAX_COMPARISONS) {
      throw new FilterError(`it has more than ${MAX_COMPARISONS} comparisons`)
    }
    const path = this.readPath(depth)
    const next = this.tokens[this.at]
    const isComplete = next?.kind !== 'word' || /^(and|or)$/i.test(next.text)
    if (path.elements && path.sub === undefined && isComplete) return { kind: 'element', path }
    if (this.takeWord('pr')) return { kind: 'present', path }
    const operator = operatorOf(this.expect('word'))
    return { kind: 'compare', path, operator, value: this.readValue() }
  }

  private readValue(): FilterValue {
    const token = this.tokens[this.at++]
    if (token?.kind === 'text') return token.text
    if (token?.kind !== 'word') throw new FilterError('a value is missing')
    const text = token.text.toLowerCase()
    if (text === 'true' || text === 'false') return text === 'true'
    if (text === 'null') return null
    if (/^-?\d{1,15}(\.\d{1,15})?$/.test(text)) return Number(text)
    throw new FilterError(`the value ${token.text} must be in quotes`)
  }

  /** `.value` after a bracket. */
  private takeSub(): string | undefined {
    const token = this.tokens[this.at]
    if (token?.kind !== 'word' || !token.text.startsWith('.')) return undefined
    this.at++
    return nameOf(token.text.slice(1))
  }

  private takeWord(text: string): boolean {
    const token = this.tokens[this.at]
    const isFound = token?.kind === 'word' && token.text.toLowerCase() === text
    if (isFound) this.at++
    return isFound
  }

  private isSign(text: string): boolean {
    const token = this.tokens[this.at]
    return token?.kind === 'sign' && token.text === text
  }

  private takeSign(text: string): boolean {
    const isFound = this.isSign(text)
    if (isFound) this.at++
    return isFound
  }

  private expect(kind: 'word'): string {
    const token = this.tokens[this.at++]
    if (token?.kind === kind) return token.text
    throw new FilterError(token ? `"${token.text}" is not expected there` : 'it is not complete')
  }

  private expectSign(text: string): void {
    if (!this.takeSign(text)) throw new FilterError(`"${text}" is missing`)
  }
}

/** URN of a schema, with the colon before the name of an attribute. */
const URN = /^urn:ietf:params:scim:schemas:core:2\.0:(user|group):/i

/** The attribute and what of it is meant. A name of another schema is kept whole, so it equals no attribute. */
function splitName(word: string): [attribute: string, sub?: string] {
  const name = word.replace(URN, '')
  if (/^urn:/i.test(name)) return [name.toLowerCase()]
  const [attribute = '', sub, ...rest] = name.split('.')
  if (rest.length > 0) throw new FilterError(`${word} is not the name of an attribute`)
  return sub === undefined ? [nameOf(attribute)] : [nameOf(attribute), nameOf(sub)]
}

function nameOf(text: string): string {
  if (!/^\$?[a-z][\w-]*$/i.test(text)) throw new FilterError(`"${text}" is not the name of an attribute`)
  return text.toLowerCase()
}

function operatorOf(word: string): Operator {
  const found = OPERATORS.find((operator) => operator === word.toLowerCase())
  if (!found) throw new FilterError(`${word} is not an operator; there are ${OPERATORS.join(', ')} and pr`)
  return found
}
