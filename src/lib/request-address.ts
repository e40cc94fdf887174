const ORIGIN = 'http://localhost'

/** The target of a request as an address, of which path and query are of use. Two slashes at its start name no host. */
export function requestAddress(target: string): URL {
  if (target.startsWith('/')) return new URL(ORIGIN + target)
  return new URL(URL.canParse(target) ? target : ORIGIN)
}
