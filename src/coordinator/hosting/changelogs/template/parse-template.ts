import { ChangelogError } from '../errors.js'

/** A part of a template (API, E7). */
export type TemplateNode =
  | { kind: 'text'; text: string }
  | { kind: 'value'; selector: Selector }
  | { kind: 'if'; selector: Selector; then: TemplateNode[]; otherwise: TemplateNode[] }
  | { kind: 'each'; selector: Selector; body: TemplateNode[] }

/** The names from the current value to the wanted one; empty for the current value itself (`it`). */
export type Selector = readonly string[]

/** Statements inside one another. */
const MAX_DEPTH = 20

type Block = Extract<TemplateNode, { kind: 'if' | 'each' }>

/** The nodes of a template. Throws `ChangelogError` for one that is not valid. */
export function parseTemplate(source: string): TemplateNode[] {
  const root: TemplateNode[] = []
  const open: { block: Block; outer: TemplateNode[] }[] = []
  let current = root
  for (const token of tokensOf(source)) {
    if (token.kind === 'text') current.push({ kind: 'text', text: token.text })
    else if (token.kind === 'value') current.push({ kind: 'value', selector: selectorOf(token.text) })
    else apply(token.text)
  }
  if (open.length > 0) throw new ChangelogError(`The template has a statement without {% end %}`)
  return root

  function apply(statement: string): void {
    const [word = '', argument, ...more] = statement.split(/\s+/)
    if (more.length > 0) throw invalid(statement)
    if ((word === 'if' || word === 'each') && argument !== undefined) begin(word, selectorOf(argument))
    else if (word === 'else' && argument === undefined) enterElse(statement)
    else if (word === 'end' && argument === undefined) end(statement)
    else throw invalid(statement)
  }

  function begin(kind: Block['kind'], selector: Selector): void {
    if (open.length >= MAX_DEPTH) {
      throw new ChangelogError(`The template has more than ${MAX_DEPTH} statements inside one another`)
    }
    const block: Block =
      kind === 'if' ? { kind, selector, then: [], otherwise: [] } : { kind, selector, body: [] }
    current.push(block)
    open.push({ block, outer: current })
    current = block.kind === 'if' ? block.then : block.body
  }

  function enterElse(statement: string): void {
    const block = open.at(-1)?.block
    if (block?.kind !== 'if' || current !== block.then) throw invalid(statement)
    current = block.otherwise
  }

  function end(statement: string): void {
    const closed = open.pop()
    if (!closed) throw invalid(statement)
    current = closed.outer
  }
}

function invalid(statement: string): ChangelogError {
  return new ChangelogError(
    `The template has a statement that is not valid: {% ${statement.slice(0, 100)} %}`,
  )
}

interface Token {
  kind: 'text' | 'value' | 'statement'
  text: string
}

const ENDS = { '{{': '}}', '{%': '%}' } as const

/** A statement takes the line end behind it, and a backslash at the end of a line takes that line end. */
function* tokensOf(source: string): Generator<Token> {
  const starts = /\{\{|\{%|\\\n/g
  let done = 0
  for (let found = starts.exec(source); found; found = starts.exec(source)) {
    if (found.index > done) yield { kind: 'text', text: source.slice(done, found.index) }
    const mark = found[0]
    done = starts.lastIndex
    if (mark !== '{{' && mark !== '{%') continue
    const end = source.indexOf(ENDS[mark], done)
    if (end === -1) throw new ChangelogError(`The template has ${mark} without ${ENDS[mark]}`)
    const text = source.slice(done, end).trim()
    done = end + 2
    if (mark === '{%' && source[done] === '\n') done += 1
    starts.lastIndex = done
    yield { kind: mark === '{{' ? 'value' : 'statement', text }
  }
  if (done < source.length) yield { kind: 'text', text: source.slice(done) }
}

function selectorOf(text: string): Selector {
  if (text === 'it') return []
  if (!/^[\p{L}\p{N}_-]+(\.[\p{L}\p{N}_-]+)*$/u.test(text)) {
    throw new ChangelogError(`The template has a variable that is not valid: ${text.slice(0, 100)}`)
  }
  return text.split('.')
}
