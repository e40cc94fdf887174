import { Type } from 'typebox'

import type { Database } from '../../database/connect.js'
import type { Transaction } from '../../database/transaction.js'
import { invalidRecord, notFound } from '../../http/errors.js'
import { NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { described } from '../../http/parameters/described.js'
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
      summary: 'Delete an identity of a user',
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

async function deleteIdentity(database: Database, userId: number, provider: string): Promise<void> {
  await existingUser(database, userId)
  const { numDeletedRows } = await database
    .deleteFrom('user_identity')
    .where('user_id', '=', userId)
    .where('provider', '=', provider)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw notFound('Identity')
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
    await tx
      .deleteFrom('user_identity')
      .where('user_id', '=', userId)
      .where('provider', '=', provider)
      .execute()
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
  const values = { extern_uid, saml_provider_id: group_id_for_saml ?? null }
  await tx
    .insertInto('user_identity')
    .values({ user_id: userId, provider, ...values })
    .onConflict((conflict) => conflict.columns(['user_id', 'provider']).doUpdateSet(values))
    .execute()
}
