import type { User } from '../../access/caller.js'
import { removeProviderMemberships } from '../../accounts/members/provider-memberships.js'
import { editUser } from '../../accounts/users/account/edit-user.js'
import { findUserOfIdentity, setIdentity } from '../../accounts/users/identities.js'
import { isEmailTaken } from '../../accounts/users/store.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import { isUniqueViolation } from '../../database/unique-violation.js'
import { apiError } from '../../http/errors.js'
import { scimEventOf } from '../audit.js'
import { invalidValue } from '../protocol/read-attributes.js'
import { fullNameOf, type UserStatement } from '../protocol/read-user.js'
import type { ScimCaller, ScimDeps } from '../scim-deps.js'
import {
  findManagedUser,
  insertManagedUser,
  isUserNameTaken,
  type ManagedUser,
  markDeleted,
  updateStatement,
} from '../stores/user-store.js'
import { accountFor, checkProviderDomain, isOwnDomain } from './account.js'
import { applyActive } from './active.js'
import { statementOf } from './present.js'

type Deps = Pick<ScimDeps, 'database' | 'onShutOut' | 'storeAuditEvent'>

/** Throws 404 for an account that the provider does not manage. */
export async function requireUser(
  { database }: Deps,
  { provider }: ScimCaller,
  id: number,
): Promise<ManagedUser> {
  const user = await findManagedUser(database, provider.name, id)
  if (!user) throw apiError('scim_resource_not_found', { resource: 'User', id })
  return user
}

/** Creates the account of a user, or begins to manage the one that has the identity. Throws 409 for one that is taken. */
export async function createManagedUser(
  deps: Deps,
  caller: ScimCaller,
  statement: UserStatement,
): Promise<ManagedUser> {
  const { externalId } = statement
  if (externalId === undefined)
    throw invalidValue('externalId', 'is missing: it is the ID with which the user signs in')
  const { name, rules } = caller.provider
  checkProviderDomain(rules, statement.email)
  if (await isUserNameTaken(deps.database, name, statement.userName)) throw userNameTaken(statement)
  const account = await accountFor(deps.database, caller.provider, { ...statement, externalId })
  await refuseAddress(deps, account, statement)
  await manage(deps, caller, account, statement)
  const wanted = { ...statement, active: statement.active ?? true }
  const known = { email: account.email, fullName: account.name }
  return changeUser(deps, caller, await requireUser(deps, caller, account.id), wanted, known)
}

/** Throws for the address of another account, and for an administrator who would get another address. */
async function refuseAddress({ database }: Deps, account: User, { email }: UserStatement): Promise<void> {
  if (account.is_admin && !isSameAddress(account.email, email)) throw apiError('scim_administrator')
  if (await isEmailTaken(database, email, account.id)) throw apiError('email_taken')
}

function isSameAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

async function manage(
  { database, storeAuditEvent }: Deps,
  caller: ScimCaller,
  account: User,
  statement: UserStatement,
): Promise<void> {
  await refusingTakenName(statement, () =>
    inTransaction(database, async (tx) => {
      if (!(await insertManagedUser(tx, account.id, caller.provider.name, statement)))
        throw apiError('scim_user_exists', { id: account.id })
      await storeAuditEvent(tx, scimEventOf(caller, account, 'Provisioned by SCIM'))
    }),
  )
}

/** The values that a change compares with. */
type Known = Pick<UserStatement, 'email'> & { fullName: string }

/**
 * Changes a user to what the provider says. `known` is what the account has so far; what the user has changed stays until
 * the provider says something else.
 */
export async function changeUser(
  deps: Deps,
  caller: ScimCaller,
  user: ManagedUser,
  wanted: UserStatement,
  known: Known = { email: user.email, fullName: fullNameOf(statementOf(user)) },
): Promise<ManagedUser> {
  const changes = { ...wanted, externalId: wanted.externalId ?? user.external_id }
  await refuseChange(deps, caller, user, changes)
  // First, so that nothing else keeps an account open that the provider closes.
  if (wanted.active === false && user.active) await setActive(deps, caller, user, false)
  await editAccount(deps, caller, user, changes, known)
  if (!isSaid(user, changes)) await storeStatement(deps, caller, user, changes)
  if (wanted.active === true && isInactive(user)) await setActive(deps, caller, user, true)
  return requireUser(deps, caller, user.user_id)
}

/** Whether the provider has said the same before. */
function isSaid(user: ManagedUser, changes: Wanted): boolean {
  const said = { ...statementOf(user), active: changes.active }
  return Object.entries(said).every(([name, value]) => changes[name as keyof Wanted] === value)
}

async function storeStatement(
  { database, storeAuditEvent }: Deps,
  caller: ScimCaller,
  user: ManagedUser,
  changes: Wanted,
): Promise<void> {
  await refusingTakenName(changes, () =>
    inTransaction(database, async (tx) => {
      await linkTo(tx, caller, user, changes.externalId)
      await updateStatement(tx, user.user_id, changes)
      const account = { id: user.user_id, username: user.username }
      await storeAuditEvent(tx, scimEventOf(caller, account, 'Changed by SCIM'))
    }),
  )
}

function isInactive({ active, state_before_block }: ManagedUser): boolean {
  return !active || state_before_block !== null
}

type Wanted = UserStatement & { externalId: string }

async function refuseChange(
  { database }: Deps,
  { provider }: ScimCaller,
  user: ManagedUser,
  { email, externalId, userName }: Wanted,
): Promise<void> {
  const isOtherAddress = !isSameAddress(email, user.email)
  // Who sets these decides who signs in to the account.
  if (user.is_admin && (isOtherAddress || externalId !== user.external_id))
    throw apiError('scim_administrator')
  if (isOtherAddress) checkProviderDomain(provider.rules, email)
  if (await isUserNameTaken(database, provider.name, userName, user.user_id))
    throw userNameTaken({ userName })
  if (await isEmailTaken(database, email, user.user_id)) throw apiError('email_taken')
}

async function editAccount(
  { database }: Deps,
  { provider }: ScimCaller,
  { user_id: id }: ManagedUser,
  wanted: Wanted,
  known: Known,
): Promise<void> {
  const name = fullNameOf(wanted)
  const isOtherAddress = !isSameAddress(wanted.email, known.email)
  if (name === known.fullName && !isOtherAddress) return
  await editUser(database, {
    id,
    ...(name !== known.fullName && { name }),
    ...(isOtherAddress && {
      email: wanted.email,
      skip_reconfirmation: isOwnDomain(provider.rules, wanted.email),
    }),
  })
}

async function linkTo(
  tx: Transaction,
  { provider }: ScimCaller,
  user: ManagedUser,
  externalId: string,
): Promise<void> {
  if (externalId === user.external_id) return
  const other = await findUserOfIdentity(tx, provider.name, externalId)
  if (other) throw apiError('scim_external_id_taken')
  await setIdentity(tx, user.user_id, { provider: provider.name, extern_uid: externalId })
}

async function setActive(
  { database, onShutOut, storeAuditEvent }: Deps,
  caller: ScimCaller,
  { user_id: id, username }: ManagedUser,
  active: boolean,
): Promise<void> {
  const isBlocked = await inTransaction(database, async (tx) => {
    const message = active ? 'Activated by SCIM' : 'Deactivated by SCIM'
    await storeAuditEvent(tx, scimEventOf(caller, { id, username }, message))
    return applyActive(tx, id, active)
  })
  if (isBlocked) await onShutOut(id)
}

/** Blocks the account, which is no longer shown to the provider. It stays, with its work. */
export async function deleteManagedUser(deps: Deps, caller: ScimCaller, user: ManagedUser): Promise<void> {
  const { user_id: id, username } = user
  const isBlocked = await inTransaction(deps.database, async (tx) => {
    const isNow = await applyActive(tx, id, false)
    await markDeleted(tx, id)
    await removeProviderMemberships(tx, id, caller.provider.name)
    await deps.storeAuditEvent(tx, scimEventOf(caller, { id, username }, 'Deleted by SCIM, and blocked'))
    return isNow
  })
  if (isBlocked) await deps.onShutOut(id)
}

function userNameTaken({ userName }: Pick<UserStatement, 'userName'>): Error {
  return apiError('scim_user_name_taken', { user_name: userName })
}

/** Another request may take the name between the check and the write. */
async function refusingTakenName<T>(
  statement: Pick<UserStatement, 'userName'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw isUniqueViolation(error) ? userNameTaken(statement) : error
  }
}
