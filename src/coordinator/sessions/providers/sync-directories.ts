import type { Logger } from '../../../lib/logger.js'
import {
  blockGone,
  type DirectoryBlockDeps,
  type LinkedAccount,
  linkedAccounts,
  unblockBack,
  unblockUnlinked,
} from '../../accounts/users/state/directory-blocks.js'
import { inTransaction } from '../../database/transaction.js'
import type { IdentityProviders } from './identity-providers.js'
import { planSync } from './plan-sync.js'
import type { Directory, DirectoryReader, DirectoryUser, PasswordProvider } from './provider.js'
import { syncGroups } from './sync-groups.js'

export interface SyncDeps extends DirectoryBlockDeps {
  providers: IdentityProviders
  logger: Logger
  /** Whether this coordinator performs what one of several performs. */
  mayGoOn: () => Promise<boolean>
}

/**
 * Periodic task: blocks accounts whose users are gone or disabled at their directory, unblocks them when they are back, and
 * gives the others the memberships of their groups. A directory that cannot be read changes nothing, and fails the run
 * after the others.
 */
export async function syncDirectories(deps: SyncDeps, signal: AbortSignal): Promise<void> {
  if (!(await deps.mayGoOn())) return
  await unblockUnlinked(deps)
  const problems: unknown[] = []
  for (const provider of deps.providers.withPassword) {
    const { directory } = provider
    if (!directory) continue
    try {
      await syncDirectory(deps, { provider, directory }, signal)
    } catch (error) {
      signal.throwIfAborted()
      problems.push(new Error(`The directory ${provider.name} was not followed`, { cause: error }))
    }
  }
  if (problems.length === 1) throw problems[0]
  if (problems.length > 1) throw new AggregateError(problems, 'Directories were not followed')
}

async function syncDirectory(
  deps: SyncDeps,
  { provider, directory }: { provider: PasswordProvider; directory: Directory },
  signal: AbortSignal,
): Promise<void> {
  const all = await linkedAccounts(deps.database, provider.name)
  // An administrator may have set an identity that no entry can have.
  const accounts = all.filter(({ subject }) => directory.isId(subject))
  if (accounts.length === 0) return
  await directory.read(async (reader) => {
    const { gone, back, present, refusal } = planSync(
      accounts,
      await findUsers(reader, accounts),
      directory.maxBlockedPercent,
    )
    for (const account of back) await unblockBack(deps, account)
    for (const { account, reason } of gone) {
      signal.throwIfAborted()
      await block(deps, provider, account, reason)
    }
    for (const one of present) {
      signal.throwIfAborted()
      await syncMemberships(deps, provider, one)
    }
    if (refusal !== undefined) throw new Error(refusal)
  })
}

/** Fails if the directory has no user at all: then nobody has left. */
async function findUsers(
  reader: DirectoryReader,
  accounts: readonly LinkedAccount[],
): Promise<ReadonlyMap<string, DirectoryUser>> {
  const found = await reader.find(accounts.map(({ subject }) => subject))
  if (found.size < accounts.length && !(await reader.hasUsers())) {
    throw new Error(
      'The directory has no users. Check the base, the user_filter and what the account may read',
    )
  }
  return found
}

async function block(
  deps: SyncDeps,
  { name }: PasswordProvider,
  account: LinkedAccount,
  reason: string,
): Promise<void> {
  const isDone = await blockGone(deps, account, reason)
  if (!isDone) {
    deps.logger.warn(
      { provider: name, user: account.username },
      'The last administrator is gone at the directory, and was not blocked',
    )
  }
}

async function syncMemberships(
  { database }: SyncDeps,
  provider: PasswordProvider,
  { account, user }: { account: LinkedAccount; user: DirectoryUser },
): Promise<void> {
  if (provider.rules.groups.size === 0) return
  const groups = await user.groups()
  await inTransaction(database, (tx) => syncGroups(tx, account.userId, provider, { groups }))
}
