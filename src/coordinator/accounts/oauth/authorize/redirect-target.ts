/** A loopback URI; programs listen on any free port there (RFC 8252, 7.3). */
const LOOPBACK_PORT = /^(http:\/\/(?:127\.0\.0\.1|\[::1\])):\d{1,5}(?=[/?]|$)/

/** Whether the URI is registered: an exact match, except for the port of a loopback address. */
export function isRegistered(registered: readonly string[], uri: string): boolean {
  const withoutPort = uri.replace(LOOPBACK_PORT, '$1')
  return (
    registered.includes(uri) ||
    (URL.canParse(uri) && registered.some((each) => each.replace(LOOPBACK_PORT, '$1') === withoutPort))
  )
}

/** Adds parameters to the query of a URI. */
export function withQuery(uri: string, values: Record<string, string>): string {
  const url = new URL(uri)
  for (const [name, value] of Object.entries(values)) url.searchParams.append(name, value)
  return url.href
}

/** Adds parameters as the fragment of a URI, which has none. */
export function withFragment(uri: string, values: Record<string, string>): string {
  return `${new URL(uri).href}#${new URLSearchParams(values).toString()}`
}

/**
 * Source expression for `form-action`: browsers also apply it to the redirect that follows the form (Content
 * Security Policy, 6.5). A URI that cannot be a source expression is allowed by its scheme.
 */
export function policySourceOf(uri: string): string {
  const { protocol, host } = new URL(uri)
  const hasHost = /^https?:$/.test(protocol) && /^[a-z\d.-]+(:\d+)?$/.test(host)
  return hasHost ? `${protocol}//${host}` : protocol
}
