/** An address of the machine itself, at which programs listen on any port that is free (RFC 8252, 7.3). */
const LOOPBACK_PORT = /^(http:\/\/(?:127\.0\.0\.1|\[::1\])):\d{1,5}(?=[/?]|$)/

/** Whether users may be sent there: it is registered letter by letter, but for the port of a loopback address. */
export function isRegistered(registered: readonly string[], uri: string): boolean {
  const withoutPort = uri.replace(LOOPBACK_PORT, '$1')
  return (
    registered.includes(uri) ||
    (URL.canParse(uri) && registered.some((each) => each.replace(LOOPBACK_PORT, '$1') === withoutPort))
  )
}

/** The address with these in its query, beside what is there already. */
export function withAnswer(uri: string, answer: Record<string, string | undefined>): string {
  const url = new URL(uri)
  for (const [name, value] of Object.entries(answer)) {
    if (value !== undefined) url.searchParams.append(name, value)
  }
  return url.href
}

/**
 * What a form may lead to that is answered by sending its user there: browsers hold the redirect to `form-action` too
 * (Content Security Policy, 6.5). An address that the policy has no word for is named by its scheme.
 */
export function policySourceOf(uri: string): string {
  const { protocol, host } = new URL(uri)
  const hasHost = /^https?:$/.test(protocol) && /^[a-z\d.-]+(:\d+)?$/.test(host)
  return hasHost ? `${protocol}//${host}` : protocol
}
