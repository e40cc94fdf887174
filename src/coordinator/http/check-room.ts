import { type SelectQueryBuilder, sql } from 'kysely'

import { ApiError } from './errors.js'

/**
 * Throws 400, or `status`, if the query finds `most` rows already: the limit of `what` is reached; 0 = no limit. Concurrent
 * requests may slightly exceed the limit. It protects against scripts and need not be exact.
 */
export async function checkRoom<Aliased, Table extends keyof Aliased, Row>(
  query: SelectQueryBuilder<Aliased, Table, Row>,
  { most, what, status = 400 }: { most: number; what: string; status?: 400 | 422 },
): Promise<void> {
  if (most === 0) return
  const last = await query
    .clearSelect()
    .select(sql<number>`1`.as('one'))
    .limit(1)
    .offset(most - 1)
    .executeTakeFirst()
  if (last)
    throw new ApiError(status, { message: { base: [`Maximum number of ${what} (${most}) exceeded`] } })
}
