/** Schemes that make a browser run or show something itself instead of going back to the application. */
const FORBIDDEN = new Set(['about:', 'blob:', 'data:', 'file:', 'filesystem:', 'javascript:', 'vbscript:'])

/** The addresses of a text with one on each line, without blanks around them. */
export function readRedirectUris(text: string): string[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim())
  return [...new Set(lines.filter((line) => line !== ''))]
}

/** What is wrong with an address to which users would be sent back (RFC 6749, 3.1.2); undefined = nothing. */
export function problemOfRedirectUri(text: string): string | undefined {
  if (!/^[a-z][a-z\d+.-]*:/i.test(text)) return 'must be an absolute URI.'
  // One that a browser would understand in another way than we do.
  if (!/^[\x21-\x7e]+$/.test(text) || text.includes('\\') || !URL.canParse(text)) {
    return 'must be a valid URI.'
  }
  if (text.includes('#')) return 'cannot contain a fragment.'
  const { protocol, username, password } = new URL(text)
  if (FORBIDDEN.has(protocol) || username !== '' || password !== '') return 'is forbidden by the server.'
  return undefined
}
