import { Type } from 'typebox'

import type { User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import { invalidRecord, notFound } from '../../http/errors.js'
import { NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { described } from '../../http/parameters/described.js'
import { removeProviderMemberships } from '../members/provider-memberships.js'
import { UserId } from './record/schema.js'
import { existingUser } from './users.js'

interface Identity {
  provider?: string | null | undefined
  extern_uid?: string | null | undefined
  group_id_for_saml?: number | null | undefined
}

const IdentityOfUser = Type.Object({
  ...UserId.properties,
  provider: described(Type.String(), 'Name of the identity provider.'),
})

/** Identities of users at external providers. */
export function identityOperations({ database }: { database: Database }): Operation[] {
  return [
    operation('DELETE /users/:id/identities/:provider', {
      summary: 'Delete an identity of a user, with the memberships that it has given',
      access: 'administrator',
      params: IdentityOfUser,
      responses: { 204: NoBody },
      run: async ({ params }) => {
        await deleteIdentity(database, params.id, params.provider)
        return respond(204)
      },
    }),
  ]
}

/** Throws 404 without such an identity. */
async function deleteIdentity(database: Database, userId: number, provider: string): Promise<void> {
  await existingUser(database, userId)
  await inTransaction(database, async (tx) => {
    if (!(await unlinkIdentity(tx, userId, provider))) throw notFound('Identity')
  })
}

/** The user who has this identity; undefined if nobody has. */
export function findUserOfIdentity(
  database: Database,
  provider: string,
  externUid: string,
): Promise<User | undefined> {
  return database
    .selectFrom('user_identity')
    .innerJoin('user', 'user.id', 'user_identity.user_id')
    .selectAll('user')
    .where('user_identity.provider', '=', provider)
    .where('user_identity.extern_uid', '=', externUid)
    .executeTakeFirst()
}

/** The identities of a user, by the name of the provider. */
export async function identitiesOf(database: Database, userId: number): Promise<Map<string, string>> {
  const rows = await database
    .selectFrom('user_identity')
    .select(['provider', 'extern_uid'])
    .where('user_id', '=', userId)
    .execute()
  return new Map(rows.map(({ provider, extern_uid }) => [provider, extern_uid]))
}

/**
 * Deletes the identity of the user at a provider, with the memberships that it has given. Returns false if there is none.
 */
export async function unlinkIdentity(tx: Transaction, userId: number, provider: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('user_identity')
    .where('user_id', '=', userId)
    .where('provider', '=', provider)
    .executeTakeFirst()
  await removeProviderMemberships(tx, userId, provider)
  return numDeletedRows === 1n
}

/**
 * Gives an identity to a user. Returns false if the user has another one at this provider, or another user has this one.
 */
export async function linkIdentity(
  tx: Transaction,
  userId: number,
  { provider, externUid }: { provider: string; externUid: string },
): Promise<boolean> {
  const inserted = await tx
    .insertInto('user_identity')
    .values({ user_id: userId, provider, extern_uid: externUid, saml_provider_id: null, gone_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/**
 * Stores the identity of the user at `provider`; without `extern_uid` it is deleted. Throws 400 if another
 * user has this identity.
 */
export async function setIdentity(
  tx: Transaction,
  userId: number,
  { provider, extern_uid, group_id_for_saml }: Identity,
): Promise<void> {
  if (!provider) return
  if (!extern_uid) {
    await unlinkIdentity(tx, userId, provider)
    return
  }
  const taken = await tx
    .selectFrom('user_identity')
    .select('id')
    .where('provider', '=', provider)
    .where('extern_uid', '=', extern_uid)
    .where('user_id', '!=', userId)
    .executeTakeFirst()
  if (taken) throw invalidRecord({ 'identities.extern_uid': ['has already been taken'] })
  const values = { extern_uid, saml_provider_id: group_id_for_saml ?? null, gone_at: null }
  await tx
    .insertInto('user_identity')
    .values({ user_id: userId, provider, ...values })
    .onConflict((conflict) => conflict.columns(['user_id', 'provider']).doUpdateSet(values))
    .execute()
}
