import { sql } from 'kysely'
import { expect, test } from 'vitest'

import { CONTRIBUTIONS } from '../../../../src/coordinator/accounts/users/deletion/contributions.js'
import { openSqlite } from '../../../support/databases.js'
import { testAtNight } from '../../../support/nightly.js'
import {
  insertSomeRow,
  nullableColumns,
  type Reference,
  referencesOf,
  rowCounts,
  tablesAround,
} from '../../support/fill-tables.js'
import { openPlanningScene } from '../support/planning-scene.js'

/** What users plan with. Every other table of planning refers to one of these. */
const ROOTS = ['issue', 'merge_request', 'epic', 'label', 'milestone', 'note']
/** These only name a merge request and are kept without it. */
const OTHERS = ['pipeline']
/** A row of planning that may belong to one of these has one of them. */
const OWNERS = ['issue', 'merge_request', 'epic', 'note']

/**
 * A group with a label, a milestone and an epic, and its project with one of each, an issue and a merge request; and a row
 * of each table that refers to one of them, all of the user `mary`.
 */
async function openFilled() {
  const scene = await openPlanningScene(openSqlite)
  const { database, ok, propose, person, P, G, project, group } = scene
  const mary = await person('mary', G, 50)
  const own: Record<string, number> = { project, namespace: group, user: mary.id }
  const shared: Record<string, number> = { user: mary.id }
  for (const [at, ids] of [
    [P, own],
    [G, shared],
  ] as const) {
    ids.label = (await ok(`POST ${at}/labels`, { name: `bug ${at}`, color: '#ff0000' }, mary)).id
    ids.milestone = (await ok(`POST ${at}/milestones`, { title: `v1 ${at}` }, mary)).id
  }
  own.issue = (await ok(`POST ${P}/issues`, { title: 'a' }, mary)).id
  await ok(`POST ${P}/issues`, { title: 'b' }, mary)
  own.merge_request = (await propose('a', {}, mary)).id
  shared.epic = (await ok(`POST ${G}/epics`, { title: 'a' }, mary)).id
  await ok(`POST ${P}/releases`, { tag_name: 'v1', ref: 'main', milestones: [`v1 ${P}`] }, mary).catch(
    () => undefined,
  )
  const references = await referencesOf(database)
  const tables = tablesAround(
    ROOTS,
    references.filter(({ table }) => !OTHERS.includes(table)),
  )
  await fill(
    { database, references, tables: tables.filter((name) => !ROOTS.includes(name) || name === 'note') },
    own,
    shared,
  )
  return { ...scene, mary, references, tables, group }
}

type Filled = Awaited<ReturnType<typeof openFilled>>

async function fill(
  { database, references, tables }: Pick<Filled, 'database' | 'references' | 'tables'>,
  own: Record<string, number>,
  shared: Record<string, number>,
): Promise<void> {
  // What rows of planning refer to beside users and projects.
  for (const table of [
    'release',
    'environment',
    'deployment',
    'external_status_check',
    'merge_train',
    'protected_ref',
  ] as const) {
    await insertSomeRow(database, table, own, { references })
    own[table] = (await database.selectFrom(table).select('id').executeTakeFirstOrThrow()).id
  }
  // What the requests have made: there is to be one row of each.
  for (const table of tables) await sql`delete from ${sql.table(table)}`.execute(database)
  for (const table of inOrder(tables, references)) {
    const nullable = await nullableColumns(database, table)
    const isChoice = (each: Reference) => OWNERS.includes(each.to) && nullable.includes(each.column)
    const owners = references.filter((each) => each.table === table && isChoice(each)).map(({ to }) => to)
    // Of a group, so it is not among what the project has.
    const isOfEpic = references.some((each) => each.table === table && each.to === 'epic')
    const ids = isOfEpic && owners.length === 0 ? { ...own, epic: shared.epic } : own
    for (const owner of owners.length === 0 ? [''] : new Set(owners)) {
      // Where a group may be named, a project is named instead.
      const without = [...OWNERS.filter((name) => name !== owner), 'namespace']
      await insertSomeRow(database, table, owner === 'epic' ? shared : ids, { references, without })
    }
    const { rows } = await sql<{ id: number }>`select rowid as id from ${sql.table(table)} limit 1`.execute(
      database,
    )
    if (rows[0]) own[table] ??= rows[0].id
  }
}

/** Tables after those to which they refer. */
function inOrder(tables: readonly string[], references: readonly Reference[]): string[] {
  const sorted: string[] = []
  const add = (table: string): void => {
    if (sorted.includes(table) || !tables.includes(table)) return
    for (const { to } of references.filter((each) => each.table === table && each.to !== table)) add(to)
    sorted.push(table)
  }
  for (const table of tables) add(table)
  return sorted
}

async function rowsWith({ database }: Filled, { table, column }: Reference, id: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(table)} where ${sql.ref(column)} = ${id}`.execute(database)
  return rows[0]?.count ?? 0
}

test('the rows of a deleted user belong to the ghost, and those that only concern the user are gone', async () => {
  const filled = await openFilled()
  const { database, ok, tables, references, mary } = filled
  const before = await rowCounts(database, tables)
  const named = references.filter(({ table, to }) => tables.includes(table) && to === 'user')
  for (const each of named.filter(({ table }) => table !== 'epic')) {
    if (each.column === 'user_id')
      expect([each, await rowsWith(filled, each, mary.id)]).not.toEqual([each, 0])
  }
  await ok(`DELETE /users/${mary.id}`)
  const ghost = await database
    .selectFrom('user')
    .select('id')
    .where('kind', '=', 'ghost')
    .executeTakeFirstOrThrow()
  const kept = CONTRIBUTIONS.map((names) => names.join('.'))
  const expected = { ...before }
  for (const each of named) {
    expect([each, await rowsWith(filled, each, mary.id)]).toEqual([each, 0])
    const isKept = kept.includes(`${each.table}.${each.column}`)
    if (isKept) expect([each, await rowsWith(filled, each, ghost.id)]).toEqual([each, before[each.table]])
    else if (each.onDelete === 'CASCADE') Reflect.deleteProperty(expected, each.table)
  }
  expect(await rowCounts(database, tables)).toEqual(expected)
})

test('a deleted project leaves no row of planning, except those of its group', async () => {
  const filled = await openFilled()
  const { database, ok, tables, P } = filled
  expect(Object.keys(await rowCounts(database, tables))).toEqual(tables.toSorted())
  await ok(`DELETE ${P}`)
  const rest = await rowCounts(database, tables)
  const { note = 0, epic, label, milestone, ...others } = rest
  expect({ note, epic, label, milestone }).toEqual({ note: 1, epic: 1, label: 1, milestone: 1 })
  // What belongs to the epic, or to the label and the milestone of the group.
  for (const table of Object.keys(others)) {
    const owners = filled.references.filter(
      (each) => each.table === table && ['epic', 'note'].includes(each.to),
    )
    expect([table, owners.length]).not.toEqual([table, 0])
  }
})

testAtNight('a deleted group leaves no row of planning', async () => {
  const { database, ok, tables, G } = await openFilled()
  await ok(`DELETE ${G}`)
  expect(await rowCounts(database, tables)).toEqual({})
})
