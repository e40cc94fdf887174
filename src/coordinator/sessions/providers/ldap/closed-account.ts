import type { DirectoryEntry } from './entry.js'

export type Closed = 'disabled' | 'expired' | 'locked'

/** Attributes that say whether an account may be used. Each directory has its own, and none of the others. */
export const STATE_ATTRIBUTES = [
  'userAccountControl',
  'msDS-User-Account-Control-Computed',
  'accountExpires',
  'pwdAccountLockedTime',
  'nsAccountLock',
]

/** Flags of `userAccountControl` (MS-ADTS, section 2.2.16). */
const ACCOUNT_DISABLED = 0x2
const LOCKED_OUT = 0x10
/** `accountExpires` of accounts that do not expire (MS-ADTS, section 3.1.1.1.6). */
const NEVER = [0n, 0x7fff_ffff_ffff_ffffn]
/** Milliseconds from 1601, from which Active Directory counts intervals of 100 ns, to 1970. */
const EPOCH_OF_1601 = 11_644_473_600_000
/** `pwdAccountLockedTime` of an account that only an administrator unlocks (draft-behera-ldap-password-policy). */
const LOCKED_FOR_EVER = '000001010000Z'

/** Why the account of an entry may not be used at `now` (milliseconds since 1970); undefined if it may. */
export function closedAccount(entry: DirectoryEntry, now: number): Closed | undefined {
  const flags = flagsOf(entry, 'userAccountControl')
  if (
    (flags & ACCOUNT_DISABLED) !== 0 ||
    entry.text('pwdAccountLockedTime') === LOCKED_FOR_EVER ||
    entry.text('nsAccountLock')?.toUpperCase() === 'TRUE'
  ) {
    return 'disabled'
  }
  if (hasExpired(entry.text('accountExpires'), now)) return 'expired'
  const computed = flags | flagsOf(entry, 'msDS-User-Account-Control-Computed')
  return (computed & LOCKED_OUT) === 0 ? undefined : 'locked'
}

function flagsOf(entry: DirectoryEntry, attribute: string): number {
  const flags = Number(entry.text(attribute) ?? 0)
  return Number.isInteger(flags) ? flags : 0
}

function hasExpired(text: string | undefined, now: number): boolean {
  if (text === undefined || !/^\d{1,19}$/.test(text)) return false
  const intervals = BigInt(text)
  return !NEVER.includes(intervals) && Number(intervals / 10_000n) - EPOCH_OF_1601 <= now
}
