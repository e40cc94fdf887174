import { findReferences } from './references/find-references.js'

/** How many mentions of a text count. */
export const MOST_MENTIONS = 100

export interface Mentions {
  /** Names of users that begin a line, before any other text: they are addressed. In lower case. */
  addressed: Set<string>
  /** Names in the rest of the text, in lower case. */
  others: Set<string>
}

/** Names after `@` in a Markdown text, of users or groups, whether they exist or not; the first hundred. */
export function mentionsIn(text: string): Mentions {
  // URLs mention nobody, so the address of the instance does not matter.
  const references = findReferences(text, { externalUrl: '' }).filter(({ kind }) => kind === 'user')
  const mentions: Mentions = { addressed: new Set(), others: new Set() }
  let addressedUntil = 0
  for (const reference of references.slice(0, MOST_MENTIONS)) {
    if (reference.kind !== 'user') continue
    const lineStart = text.lastIndexOf('\n', reference.start) + 1
    const before = text.slice(Math.max(lineStart, addressedUntil), reference.start)
    const isAddressed = /^[\s,]*$/.test(before)
    if (isAddressed) addressedUntil = reference.end
    mentions[isAddressed ? 'addressed' : 'others'].add(reference.name.toLowerCase())
  }
  return mentions
}
