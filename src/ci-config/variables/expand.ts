const NAME = '[a-zA-Z_][a-zA-Z0-9_]*'
/** An escape, `$NAME`, `${NAME}` or `%NAME%`. */
const REFERENCE = new RegExp(`\\$\\$|%%|\\$(${NAME})|\\$\\{(${NAME})\\}|%(${NAME})%`, 'g')

/** The replacement for an undefined variable: nothing, or the unchanged reference. */
export type Unknown = 'empty' | 'keep'

/** Replaces references by values, one level deep; keeps the escapes `$$` and `%%` (CI language, 8.3). */
export function expandReferences(
  text: string,
  valueOf: (name: string) => string | undefined,
  unknown: Unknown,
): string {
  if (!mayRefer(text)) return text
  return text.replace(REFERENCE, (reference: string, ...groups: (string | undefined)[]) => {
    const name = nameIn(groups)
    if (name === undefined) return reference
    return valueOf(name) ?? (unknown === 'empty' ? '' : reference)
  })
}

/** Names that the text references, each once, in the order of their first appearance. */
export function namesReferredTo(text: string): string[] {
  if (!mayRefer(text)) return []
  const names = [...text.matchAll(REFERENCE)].map(([, ...groups]) => nameIn(groups))
  return [...new Set(names.filter((name) => name !== undefined))]
}

/** False if a text has no references for sure. */
export function mayRefer(text: string): boolean {
  return text.includes('$') || text.includes('%')
}

function nameIn([plain, braced, percent]: (string | undefined)[]): string | undefined {
  return plain ?? braced ?? percent
}
