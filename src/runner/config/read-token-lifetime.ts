import type { TableReader } from './table-reader.js'

/** When the token of a runner was obtained, and when it expires. */
export interface TokenLifetime {
  /** Undefined if the settings do not contain it. */
  obtainedAt: Date | undefined
  expiresAt: Date
}

/** The settings about the expiry of a token (runner protocol, 1.4 and 9.3). */
export interface TokenSettings {
  /** Undefined for a token that does not expire. */
  tokenLifetime?: TokenLifetime
  isTokenRotationDisabled?: boolean
}

const DISABLED = 'FF_DISABLE_AUTOMATIC_TOKEN_ROTATION'

export function readTokenLifetime(reader: TableReader): TokenSettings {
  const flags = reader.subTable('feature_flags')
  const isTokenRotationDisabled = flags.boolean(DISABLED) ?? false
  flags.ignoreOthers()
  const obtainedAt = realTime(reader.time('token_obtained_at'))
  const expiresAt = realTime(reader.time('token_expires_at'))
  return expiresAt ? { tokenLifetime: { obtainedAt, expiresAt }, isTokenRotationDisabled } : {}
}

/** The reference runner writes the first second of year 1 for an unknown time. */
function realTime(time: Date | undefined): Date | undefined {
  return time && time.getUTCFullYear() > 1 ? time : undefined
}
