import { type SelectQueryBuilder, sql } from 'kysely'

import { apiErrorMessage } from '../../error-catalogue/api-errors.js'
import { ApiError } from './errors.js'

/**
 * Throws an error if the query already finds `most` rows: the limit of `what` is reached; 0 = no limit. Concurrent
 * requests may slightly exceed the limit. It protects against scripts and need not be exact.
 */
export async function checkRoom<Aliased, Table extends keyof Aliased, Row>(
  query: SelectQueryBuilder<Aliased, Table, Row>,
  { most, what, code = 'limit_reached' }: RoomLimit,
): Promise<void> {
  if (most === 0) return
  const last = await query
    .clearSelect()
    .select(sql<number>`1`.as('one'))
    .limit(1)
    .offset(most - 1)
    .executeTakeFirst()
  if (last) throw new ApiError(code, { message: { base: [apiErrorMessage(code, { what, max: most })] } })
}

interface RoomLimit {
  most: number
  /** Names the records in the message. */
  what: string
  code?: 'limit_reached' | 'hook_limit_reached' | 'evidence_limit_reached'
}
