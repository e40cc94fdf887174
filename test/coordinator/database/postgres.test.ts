import { sql } from 'kysely'
import { expect, test } from 'vitest'

import { openPostgres } from '../../support/databases.js'

test('PostgreSQL does not compile queries, on no connection', async () => {
  const { database } = await openPostgres()
  const settings = await Promise.all([1, 2, 3].map(() => sql`show jit`.execute(database)))
  expect(settings.map(({ rows }) => rows)).toEqual([1, 2, 3].map(() => [{ jit: 'off' }]))
})
