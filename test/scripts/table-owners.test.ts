import { readFileSync } from 'node:fs'
import { posix } from 'node:path'

import { expect, test } from 'vitest'

import { exceptions, owners, writeRefusal } from '../../scripts/lint/table-owners.mjs'
import { tableWrites } from '../../scripts/lint/table-writes.mjs'
import { reportsOf } from './support/reports-of.js'

const STORE = 'src/coordinator/database/stores/project-store.ts'
const OTHER = 'src/coordinator/hosting/projects/store.ts'

const reported = (file: string, source: string) => reportsOf(tableWrites, file, source)

test.each([
  "tx.insertInto('project')",
  "tx.updateTable('project as one')",
  "tx.deleteFrom('project')",
  "tx.mergeInto('project')",
  'sql`insert into project (id) values (1)`',
  'sql`\n  update project set id = 1`',
  'sql`delete from project where id = ${id}`',
])('%s is allowed in the store of the table only', (statement) => {
  expect(reported(STORE, statement)).toEqual([])
  expect(reported(OTHER, statement)).toEqual([
    'only src/coordinator/database/stores writes the table project',
  ])
})

test.each([
  'tx.updateTable(table)',
  'sql`update ${sql.table(table)} set id = 1`',
  "tx.deleteFrom('nothing')",
])('%s is refused everywhere', (statement) => {
  expect(reported(STORE, statement)).toHaveLength(1)
})

test.each(["tx.selectFrom('project')", 'sql`select id from project for no key update`'])(
  '%s is no write',
  (statement) => {
    expect(reported(OTHER, statement)).toEqual([])
  },
)

test('every table has one owner, and every exception is a file that needs it', () => {
  const types = readFileSync('src/coordinator/database/tables/database-tables.ts', 'utf8')
  const body = types.slice(types.indexOf('export interface Tables'))
  const tables = [...body.matchAll(/^ {2}(\w+): /gm)].map(([, name]) => name)
  expect(tables.length).toBeGreaterThan(50)
  expect(Object.values(owners).flat().toSorted()).toEqual(tables.toSorted())
  for (const { file } of exceptions) {
    const source = readFileSync(`src/coordinator/${file}`, 'utf8')
    expect(reported(`src/coordinator/nowhere/${posix.basename(file)}`, source), file).not.toEqual([])
    expect(writeRefusal(`src/coordinator/${file}`, undefined)).toBeUndefined()
  }
})
