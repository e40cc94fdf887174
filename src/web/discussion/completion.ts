/** What begins a word that is completed: a user, an issue, a merge request, a label, a milestone, an emoji, an action. */
type Sigil = '@' | '#' | '!' | '~' | '%' | ':' | '/'

/** The word before the cursor that can be completed. */
export interface Completion {
  sigil: Sigil
  /** What follows the sigil, without a quotation mark. */
  query: string
  /** Position of the sigil in the text. */
  start: number
  /** Position of the cursor. */
  end: number
}

/** Longer words are not completed. */
const MAX_LENGTH = 60
/** The last sigil counts, as in `/assign @ada ~bug`; behind a quotation mark, a word may have spaces. */
const WORD = /(?:^|[\s(,])([@#!~%:])(?:(")([^"\n]*)|()([^\s"]*))$/
const ACTION = /^\/([a-z_]*)$/

/** The word that ends at the cursor, if it is one to complete. */
export function completionAt(text: string, cursor: number): Completion | undefined {
  const lineStart = text.lastIndexOf('\n', cursor - 1) + 1
  const line = text.slice(lineStart, cursor)
  const action = ACTION.exec(line)?.[1]
  if (action !== undefined) return { sigil: '/', query: action, start: lineStart, end: cursor }
  const [, sigil, quote = '', inQuotes, , word] = WORD.exec(line.slice(-MAX_LENGTH)) ?? []
  const query = inQuotes ?? word ?? ''
  if (sigil === undefined || !isCompleted(sigil, query, quote !== '')) return undefined
  const start = cursor - query.length - quote.length - 1
  return { sigil: sigil as Sigil, query, start, end: cursor }
}

function isCompleted(sigil: string, query: string, isQuoted: boolean): boolean {
  if (isQuoted) return sigil === '~' || sigil === '%'
  // Times such as 10:30 and ends of sentences are no emoji.
  return sigil !== ':' || /^[a-z0-9_+-]{2,}$/.test(query)
}

/** A name after its sigil, in quotation marks if it is not one word. */
export function quoted(sigil: '~' | '%', name: string): string {
  return /^[\w.-]+$/.test(name) && !/^\d+$/.test(name) ? sigil + name : `${sigil}"${name}"`
}
