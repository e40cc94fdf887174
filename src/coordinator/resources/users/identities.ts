import type { Transaction } from '../../database/transaction.js'
import { invalidRecord } from '../../http/errors.js'

interface Identity {
  provider?: string | null | undefined
  extern_uid?: string | null | undefined
  group_id_for_saml?: number | null | undefined
}

/** Keeps who the user is to `provider`; without `extern_uid` that is forgotten. 400 when somebody else is that already. */
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
