import type { LinkedAccount } from '../../accounts/users/state/directory-blocks.js'
import type { DirectoryUser } from './provider.js'

/** Number of accounts that may always be blocked at once, unless none may. */
const FEW = 5

export interface SyncPlan {
  /** Accounts to block, and why. */
  gone: { account: LinkedAccount; reason: string }[]
  /** Accounts whose user is there again. */
  back: LinkedAccount[]
  present: { account: LinkedAccount; user: DirectoryUser }[]
  /** Why accounts whose entries are missing are left alone; undefined if there is no reason. */
  refusal: string | undefined
}

/**
 * What a directory means for the accounts that are linked to it. A server that lost its entries, or settings that find them
 * no longer, must not block everybody: missing entries block no account if there are too many at once. An entry that says
 * that its user is disabled is no such case.
 */
export function planSync(
  accounts: readonly LinkedAccount[],
  found: ReadonlyMap<string, DirectoryUser>,
  maxPercent: number,
): SyncPlan {
  const users = accounts.flatMap((account) => {
    const user = found.get(account.subject)
    return user ? [{ account, user }] : []
  })
  const present = users.filter(({ user }) => user.closed === undefined)
  const closed = users.flatMap(({ account, user }) =>
    user.closed === undefined ? [] : [{ account, reason: `the account is ${user.closed} at the directory` }],
  )
  const missing = accounts.filter(({ subject }) => !found.has(subject))
  const refusal = refusalOf(accounts, missing, maxPercent)
  const absent = missing.filter(({ isGone }) => isGone || refusal === undefined)
  const reason = 'the user is gone at the directory'
  const gone = [...closed, ...absent.map((account) => ({ account, reason }))]
  return {
    gone: gone.filter(({ account }) => !account.isGone || account.state === 'active'),
    back: present.filter(({ account }) => account.isGone).map(({ account }) => account),
    present,
    refusal,
  }
}

function refusalOf(
  accounts: readonly LinkedAccount[],
  missing: readonly LinkedAccount[],
  maxPercent: number,
): string | undefined {
  const before = accounts.filter(({ isGone }) => !isGone).length
  const now = missing.filter(({ isGone }) => !isGone).length
  const few = maxPercent === 0 ? 0 : FEW
  const isAll = now === before && now > 1 && maxPercent < 100
  if (now <= Math.max(few, Math.floor((before * maxPercent) / 100)) && !isAll) return undefined
  return `${now} of ${before} users have no entry any more, so nobody was blocked. Check the base and the user_filter, or raise max_blocked_percent`
}
