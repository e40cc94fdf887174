/**
 * Headers of every page. Nothing inline runs, nothing is loaded from elsewhere, and markup is set only by the policy
 * `switchyard` (web/kit/trusted.ts).
 * @param styleNonce for the style elements of the editor
 * @param isSecure the instance is reached over HTTPS
 */
export function pageHeaders(styleNonce: string, isSecure: boolean): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${styleNonce}'`,
    "img-src 'self' data:",
    "media-src 'self'",
    // PDFs of repositories and artifacts; no page of the server allows to be framed.
    "frame-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "font-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types switchyard',
    ...(isSecure ? ['upgrade-insecure-requests'] : []),
  ].join('; ')
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'cache-control': 'private, no-store',
    'referrer-policy': 'same-origin',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    vary: 'Cookie',
  }
}
