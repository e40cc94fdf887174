/** Schemes that a browser would execute or display instead of returning to the application. */
const FORBIDDEN = new Set(['about:', 'blob:', 'data:', 'file:', 'filesystem:', 'javascript:', 'vbscript:'])

/** The lines of a text as URIs, trimmed. */
export function readRedirectUris(text: string): string[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim())
  return [...new Set(lines.filter((line) => line !== ''))]
}

/** Error message for an invalid redirect URI (RFC 6749, 3.1.2); undefined for a valid one. */
export function problemOfRedirectUri(text: string): string | undefined {
  if (!/^[a-z][a-z\d+.-]*:/i.test(text)) return 'must be an absolute URI.'
  // Browsers parse such a URI in another way than this server.
  if (!/^[\x21-\x7e]+$/.test(text) || text.includes('\\') || !URL.canParse(text)) {
    return 'must be a valid URI.'
  }
  if (text.includes('#')) return 'cannot contain a fragment.'
  const { protocol, username, password } = new URL(text)
  if (FORBIDDEN.has(protocol) || username !== '' || password !== '') return 'is forbidden by the server.'
  return undefined
}
