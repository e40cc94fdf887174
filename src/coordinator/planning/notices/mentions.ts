import { findReferences } from '../references/find-references.js'
import { ReferenceBudget } from '../references/reference-budget.js'

/** How many mentions of a text count. */
const MAX_MENTIONS = 100

export interface Mentions {
  /** Names of users that begin a line, before any other text: they are addressed. In lower case. */
  addressed: Set<string>
  /** Names in the rest of the text, in lower case. */
  others: Set<string>
}

/** How many places of a text are looked at for the names. */
const MAX_PLACES = 1000

/** Names after `@` in a Markdown text, of users or groups, whether they exist or not; the first hundred. */
export function mentionsIn(text: string): Mentions {
  const wanted = new ReferenceBudget(['user'], MAX_PLACES)
  const mentions: Mentions = { addressed: new Set(), others: new Set() }
  let at = 0
  // Whether nothing but mentions, commas and spaces was on the line so far.
  let isStartOfLine = true
  // URLs mention nobody, so the address of the instance does not matter.
  for (const { start, end, name } of findReferences(text, { externalUrl: '', wanted })) {
    if (mentions.addressed.size + mentions.others.size >= MAX_MENTIONS) break
    const between = text.slice(at, start)
    const lineStart = between.lastIndexOf('\n') + 1
    if (lineStart > 0) isStartOfLine = true
    isStartOfLine &&= /^[\s,]*$/.test(between.slice(lineStart))
    mentions[isStartOfLine ? 'addressed' : 'others'].add(name.toLowerCase())
    at = end
  }
  return mentions
}
