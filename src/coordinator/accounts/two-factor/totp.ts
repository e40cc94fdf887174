import { Secret, TOTP } from 'otpauth'

import { SECOND } from '../../../lib/time-units.js'

/** Length of a time step, in seconds, and how many steps the clock of the app may differ (RFC 6238, 5.2). */
const PERIOD = 30
const DRIFT = 1
const DIGITS = 6
/** Length of a secret, in bytes (RFC 4226, 4, requirement 6). */
const SECRET_BYTES = 20

/** A new secret, in base32. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32
}

/** Whether the text has the form of a code of an app; spaces do not count. */
function isTotpCode(text: string): boolean {
  return /^\d{6}$/.test(text.replaceAll(/\s/g, ''))
}

/**
 * The time step of a code, as a number of steps since 1970: that of `now`, the one before or the one after. Undefined for
 * a wrong code. `now` is in milliseconds since 1970.
 */
export function stepOfCode(secret: string, code: string, now: number): number | undefined {
  if (!isTotpCode(code)) return undefined
  const token = code.replaceAll(/\s/g, '')
  const delta = totpOf(secret).validate({ token, timestamp: now, window: DRIFT })
  return delta === null ? undefined : Math.floor(now / (PERIOD * SECOND)) + delta
}

/** The address that an app reads from a QR code: `otpauth://totp/…`. */
export function otpauthAddress(
  secret: string,
  { host, username }: { host: string; username: string },
): string {
  return totpOf(secret, { issuer: host, label: username }).toString()
}

function totpOf(secret: string, names: { issuer?: string; label?: string } = {}): TOTP {
  // Apps know SHA-1 alone; an HMAC does not need a hash that resists collisions.
  return new TOTP({
    ...names,
    secret: Secret.fromBase32(secret),
    algorithm: 'SHA1',
    digits: DIGITS,
    period: PERIOD,
  })
}
