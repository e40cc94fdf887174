import type { Database } from '../../database/connect.js'
import { type Operation, operation } from '../../http/operation.js'
import { UserCounts } from './schema.js'
import { userCounts } from './user-counts.js'

/** Counts of open tasks. */
export function userCountOperations(database: Database): Operation[] {
  return [
    operation('GET /user_counts', {
      summary: 'Get the counts of open tasks of the current user',
      access: 'user',
      responses: { 200: UserCounts },
      run: ({ user }) => userCounts(database, user),
    }),
  ]
}
