import type { Insertable } from 'kysely'

import type { Database } from '../../database/connect.js'
import type { TermsAcceptanceTable } from '../../database/tables/sessions.js'

/** The version that a user has accepted last. */
export async function findAcceptedVersion(database: Database, userId: number): Promise<number | undefined> {
  const acceptance = await database
    .selectFrom('terms_acceptance')
    .select('terms_version')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return acceptance?.terms_version
}

export async function storeAcceptance(
  database: Database,
  { user_id, ...values }: Insertable<TermsAcceptanceTable>,
): Promise<void> {
  await database
    .insertInto('terms_acceptance')
    .values({ user_id, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute()
}
