import { join } from 'node:path'

import { expect, test } from 'vitest'

import { connectDatabase } from '../../../src/coordinator/database/connect.js'
import { migrate } from '../../../src/coordinator/database/migrate.js'
import { tempDir } from '../../support/temp-dir.js'
import { migrateTo, VERSIONS } from '../support/old-schema.js'
import { RELEASED } from '../support/released.js'
import { breakingChanges, type Schema, schemaOf } from '../support/schema-changes.js'

/**
 * Breaking changes that no coordinator of the latest release notices, because that release neither reads nor writes what
 * is changed: the second step of a change (CONTRIBUTING.md, "Change the schema").
 */
const SECOND_STEPS: readonly string[] = []

test('coordinators of the latest release work with the schema of this version', async () => {
  const database = connectDatabase({ dialect: 'sqlite', file: join(await tempDir(), 'switchyard.db') })
  try {
    expect(VERSIONS).toContain(RELEASED)
    await migrateTo(database, 'sqlite', RELEASED)
    const before = await schemaOf(database)
    await migrate(database, 'sqlite')
    const after = await schemaOf(database)
    expect(before).toHaveProperty('job.status')
    expect(breakingChanges(before, after)).toEqual(SECOND_STEPS)
  } finally {
    await database.destroy()
  }
})

const text = { type: 'text', isNullable: false, hasDefault: false }
const BEFORE: Schema = {
  job: { name: text, note: { ...text, isNullable: true }, kind: { ...text, hasDefault: true } },
}

test.each<[string, Schema, string[]]>([
  ['nothing', BEFORE, []],
  ['a table is added', { ...BEFORE, lease: { id: text } }, []],
  ['a nullable column is added', changed({ until: { ...text, isNullable: true } }), []],
  ['a column with a default is added', changed({ until: { ...text, hasDefault: true } }), []],
  ['a column may be null', changed({ name: { ...text, isNullable: true } }), []],
  ['a table is dropped', {}, ['job is gone']],
  [
    'a column is renamed',
    { job: { title: { ...text, isNullable: true }, ...without('name') } },
    ['job.name is gone'],
  ],
  ['a column without a default is added', changed({ until: text }), ['job.until is new, and needs a value']],
  ['a column must have a value', changed({ note: text }), ['job.note must not be null any more']],
  ['a default is dropped', changed({ kind: text }), ['job.kind has no default any more']],
  ['a type changes', changed({ name: { ...text, type: 'bigint' } }), ['job.name has another type']],
])('the version before works on only where nothing of it breaks: %s', (_, after, expected) => {
  expect(breakingChanges(BEFORE, after)).toEqual(expected)
})

function changed(columns: Schema[string]): Schema {
  return { job: { ...BEFORE['job'], ...columns } }
}

function without(name: string): Schema[string] {
  return Object.fromEntries(Object.entries(BEFORE['job'] ?? {}).filter(([column]) => column !== name))
}
