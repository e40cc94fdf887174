/** Longest path, in characters. */
const LONGEST = 2000

const ORIGIN = 'http://switchyard.invalid'

/**
 * The path and query of a page of this instance that `text` names; undefined for anything that a browser could take for
 * an address elsewhere.
 */
export function readReturnTo(text: unknown): string | undefined {
  if (typeof text !== 'string' || text.length > LONGEST) return undefined
  // Browsers read `\` as `/`, and leave out tabs and line breaks.
  if (!/^\/(?!\/)[\x21-\x7e]*$/.test(text) || text.includes('\\')) return undefined
  const url = URL.canParse(text, ORIGIN) ? new URL(text, ORIGIN) : undefined
  if (url?.origin !== ORIGIN || url.pathname.startsWith('//')) return undefined
  return url.pathname + url.search + url.hash
}
