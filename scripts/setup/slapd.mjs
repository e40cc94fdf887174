import { ensureProgram } from './ensure-program.mjs'

/** The directory server of the tests of sign-in with LDAP. */
export function ensureSlapd() {
  return ensureProgram('slapd', 'test sign-in with LDAP')
}
