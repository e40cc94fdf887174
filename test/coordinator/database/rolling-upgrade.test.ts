import { join } from 'node:path'

import { sql } from 'kysely'
import { expect, test } from 'vitest'

import { connectDatabase } from '../../../src/coordinator/database/connect.js'
import { migrate } from '../../../src/coordinator/database/migrate.js'
import { tempDir } from '../../support/temp-dir.js'
import { addMigration } from '../support/added-migration.js'
import { createReleaseSchema, latestRelease } from '../support/release-schemas.js'
import { breakingChanges, type Schema, schemaOf } from '../support/schema-changes.js'

/**
 * Breaking changes, by the latest release, that no coordinator of it notices, because it neither reads nor writes what is
 * changed: the second step of a change (CONTRIBUTING.md, "Change the schema").
 */
const SECOND_STEPS: Readonly<Record<string, readonly string[]>> = {}

/** What breaks coordinators of the latest release once this version has migrated their database. */
async function changesSinceRelease(): Promise<string[]> {
  const settings = { dialect: 'sqlite', file: join(await tempDir(), 'switchyard.db') } as const
  await createReleaseSchema(settings, latestRelease())
  const database = connectDatabase(settings)
  try {
    const before = await schemaOf(database)
    expect(before).toHaveProperty('job.status')
    await migrate(database, settings)
    return breakingChanges(before, await schemaOf(database))
  } finally {
    await database.destroy()
  }
}

test('coordinators of the latest release work with the schema of this version', async () => {
  expect(await changesSinceRelease()).toEqual(SECOND_STEPS[latestRelease()] ?? [])
})

test('a migration that drops or renames what the latest release uses is found', async () => {
  const before = await changesSinceRelease()
  addMigration('9999-breaks', async (db) => {
    await sql`drop table badge`.execute(db)
    await sql`alter table job drop column coverage`.execute(db)
    await sql`alter table job rename column trace_bytes to log_bytes`.execute(db)
    await sql`alter table release add column codename text`.execute(db)
  })
  expect((await changesSinceRelease()).filter((change) => !before.includes(change))).toEqual([
    'job.coverage is gone',
    'job.trace_bytes is gone',
    'badge is gone',
  ])
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
