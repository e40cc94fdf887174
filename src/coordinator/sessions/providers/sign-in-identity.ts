import type { FastifyReply, FastifyRequest } from 'fastify'

import type { User } from '../../access/caller.js'
import { findUserOfIdentity, linkIdentity } from '../../accounts/users/identities.js'
import { inTransaction } from '../../database/transaction.js'
import { isRecentlyConfirmed } from '../../http/authentication/confirmation.js'
import { ApiError } from '../../http/errors.js'
import type { SessionDeps } from '../session-deps.js'
import { ownEventOf } from '../sign-in-audit.js'
import { completeSignIn } from '../start-session.js'
import { readAccountFacts } from './account-facts.js'
import { type AccountDecision, decideAccount, hasTrustedFactor, type Refusal } from './decide-account.js'
import { createAccountOf } from './new-account.js'
import { isOffered } from './offered-providers.js'
import type { ProvenIdentity, Provider } from './provider.js'
import { syncGroups } from './sync-groups.js'

/** A page that says why an identity is not signed in. */
export type SendRefusal = (reason: Refusal) => FastifyReply | Promise<FastifyReply>

interface Arrived {
  provider: Provider
  identity: ProvenIdentity
  returnTo: string | undefined
  staysSignedIn: boolean
}

/** Signs the identity in to its account, which is created or linked first if the rules of the provider allow it. */
export async function signInIdentity(
  deps: SessionDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { provider, identity, returnTo, staysSignedIn }: Arrived,
  sendRefusal: SendRefusal,
): Promise<FastifyReply> {
  if (!(await isOffered(deps.database, provider))) return sendRefusal({ code: 'turned-off' })
  const facts = await readAccountFacts(deps.database, provider.name, identity)
  const decision = decideAccount(provider.rules, identity, facts)
  if (decision.kind === 'refuse') return sendRefusal(decision.reason)
  const account = await accountOf(deps, request, { provider, identity }, decision)
  if ('reason' in account) return sendRefusal(account.reason)
  const { user } = account
  if (user.state !== 'active') return sendRefusal({ code: 'pending' })
  await inTransaction(deps.database, (tx) => syncGroups(tx, user.id, provider, identity))
  const signIn = {
    user,
    method: 'provider' as const,
    personalTokenId: null,
    staysSignedIn,
    ...(hasTrustedFactor(provider.rules, identity) && { factor: 'provider' as const }),
    // A session at the provider may be much older than this sign-in.
    isConfirmed: isRecentlyConfirmed({ confirmedAt: identity.authenticatedAt ?? null }),
    provider: {
      name: provider.name,
      subject: identity.logoutSubject ?? identity.subject,
      sid: identity.sid,
    },
  }
  return completeSignIn(deps, request, reply, signIn, returnTo)
}

async function accountOf(
  deps: SessionDeps,
  request: FastifyRequest,
  { provider, identity }: Pick<Arrived, 'provider' | 'identity'>,
  decision: Exclude<AccountDecision, { kind: 'refuse' }>,
): Promise<{ user: User } | { reason: Refusal }> {
  switch (decision.kind) {
    case 'sign-in':
      return { user: decision.user }
    case 'link':
      return (await linkTo(deps, request, { provider, identity }, decision.user))
        ? { user: decision.user }
        : { reason: { code: 'email-taken' } }
    case 'create':
      return createFor(deps, request, { provider, identity: { ...identity, email: decision.email } })
  }
}

/** Gives the identity to a user. Returns false if the user has another one there, or somebody else has this one. */
export function linkTo(
  { database, storeAuditEvent }: Pick<SessionDeps, 'database' | 'storeAuditEvent'>,
  request: FastifyRequest,
  { provider, identity }: Pick<Arrived, 'provider' | 'identity'>,
  user: User,
): Promise<boolean> {
  return inTransaction(database, async (tx) => {
    const isLinked = await linkIdentity(tx, user.id, {
      provider: provider.name,
      externUid: identity.subject,
    })
    if (isLinked)
      await storeAuditEvent(tx, ownEventOf(user, `Linked an identity of ${provider.label}`, request))
    return isLinked
  })
}

async function createFor(
  { database, storeAuditEvent }: SessionDeps,
  request: FastifyRequest,
  { provider, identity }: { provider: Provider; identity: ProvenIdentity & { email: string } },
): Promise<{ user: User } | { reason: Refusal }> {
  try {
    const user = await createAccountOf(database, provider, identity)
    await storeAuditEvent(database, ownEventOf(user, `Signed up with ${provider.label}`, request))
    return { user }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // Another browser of the user may have been faster.
    const user = await findUserOfIdentity(database, provider.name, identity.subject)
    if (user) return { user }
    if (error.status === 409) return { reason: { code: 'email-taken' } }
    if (error.status === 400) return { reason: { code: 'not-allowed' } }
    throw error
  }
}
