/** The part of a token that names, labels and logs may contain (runner protocol, 1.1). */
export function shortToken(token: string): string {
  const bare = token.replace(/^(?:glrt-(?:t[123]_)?|glrtr-|glcbt-|GR[0-9a-fA-F]{7})/, '')
  return bare.slice(0, 9)
}
