import type { IncomingHttpHeaders } from 'node:http'

/** Longest value that is read by default, in characters. */
const MAX_LENGTH = 1000

/** A cookie whose value is a token: letters, digits, `-`, `_` and `.`, which need no encoding. */
export class TokenCookie {
  private readonly attributes: string
  private readonly maxLength: number

  constructor(
    readonly name: string,
    { isSecure, maxLength = MAX_LENGTH }: { isSecure: boolean; maxLength?: number | undefined },
  ) {
    this.maxLength = maxLength
    this.attributes = `; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  }

  /** The value in the headers of a request; undefined without one. */
  read({ cookie }: IncomingHttpHeaders): string | undefined {
    // Most clients send none.
    if (!cookie?.includes(this.name)) return undefined
    const pair = cookie
      .split(';')
      .map((text) => text.trim())
      .find((text) => text.startsWith(`${this.name}=`))
    const value = pair?.slice(this.name.length + 1)
    return value !== undefined && value.length <= this.maxLength && /^[\w.-]+$/.test(value)
      ? value
      : undefined
  }

  /** The value of `Set-Cookie`. Without `maxAge`, in seconds, the cookie ends when the browser closes. */
  set(value: string, maxAge?: number): string {
    return `${this.name}=${value}${maxAge === undefined ? '' : `; Max-Age=${maxAge}`}${this.attributes}`
  }

  /** The value of `Set-Cookie` that deletes the cookie. */
  clear(): string {
    return this.set('', 0)
  }
}

/** The cookie of browser sessions. `externalUrl` is the URL that clients use. */
export function sessionCookieOf(externalUrl: string): TokenCookie {
  return cookieOf(externalUrl, { secure: '__Host-switchyard', plain: 'switchyard_session' })
}

/** The cookie that a form for visitors without a session is bound to. */
export function formCookieOf(externalUrl: string): TokenCookie {
  return cookieOf(externalUrl, { secure: '__Host-switchyard_form', plain: 'switchyard_form' })
}

/** The cookie of a browser whose user has given the first factor. */
export function pendingCookieOf(externalUrl: string): TokenCookie {
  return cookieOf(externalUrl, { secure: '__Host-switchyard_pending', plain: 'switchyard_pending' })
}

/** The cookie of a sign-in that began here and continues at an identity provider. */
export function attemptCookieOf(externalUrl: string, maxLength: number): TokenCookie {
  const names = { secure: '__Host-switchyard_attempt', plain: 'switchyard_attempt' }
  return cookieOf(externalUrl, names, maxLength)
}

/** Browsers accept the prefix `__Host-` only from the host itself and over HTTPS. */
function cookieOf(
  externalUrl: string,
  names: { secure: string; plain: string },
  maxLength?: number,
): TokenCookie {
  const isSecure = externalUrl.startsWith('https:')
  return new TokenCookie(isSecure ? names.secure : names.plain, { isSecure, maxLength })
}
