import { expect, test } from 'vitest'

import { refuseUnreleasedSchema } from '../../../src/coordinator/database/released-schema.js'

const NONE = { migrations: [], tables: [] }

test.each([
  ['that is empty', NONE],
  ['of the first release', { migrations: ['0001-baseline'], tables: ['job', 'kysely_migration'] }],
  ['of a later release', { migrations: ['0001-baseline', '0002-later'], tables: ['job'] }],
  ['to which rows are being moved', { ...NONE, tables: ['database_move', 'database_move_table'] }],
  [
    'that another coordinator begins to migrate',
    { ...NONE, tables: ['kysely_migration', 'sqlite_sequence'] },
  ],
])('a database %s may be used', (_, schema) => {
  expect(() => refuseUnreleasedSchema(schema, 'It')).not.toThrow()
})

test.each([
  [
    'of an unreleased commit',
    { migrations: ['0001-foundation', '0002-caches'], tables: ['job'] },
    'is 0002-caches',
  ],
  ['of another program', { ...NONE, tables: ['kysely_migration', 'orders'] }, 'such as orders'],
])('a database %s is refused', (_, schema, sign) => {
  expect(() => refuseUnreleasedSchema(schema, 'It')).toThrow(sign)
})
