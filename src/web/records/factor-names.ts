import type { SessionRecord } from '../../coordinator/sessions/schema.js'

const NAMES = {
  totp: 'code',
  recovery_code: 'recovery code',
  passkey: 'passkey',
  provider: 'factor of the provider',
}

/** The second factor of a sign-in, for people. */
export function factorName(factor: NonNullable<SessionRecord['second_factor']>): string {
  return NAMES[factor]
}
