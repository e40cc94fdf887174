const ORIGIN = 'http://localhost'

/**
 * Parses a request target into a URL, of which path and query are used. Two slashes at its start do not name a
 * host.
 */
export function requestAddress(target: string): URL {
  if (target.startsWith('/')) return new URL(ORIGIN + target)
  return new URL(URL.canParse(target) ? target : ORIGIN)
}
