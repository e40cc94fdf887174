import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { sql } from 'kysely'
import { expect, test } from 'vitest'

import { Deletions } from '../../../src/coordinator/background/deletions.js'
import type { Database } from '../../../src/coordinator/database/connect.js'
import {
  deleteDependents,
  deleteMatching,
  STEP_ROWS,
} from '../../../src/coordinator/database/delete-in-steps.js'
import { dialectOf } from '../../../src/coordinator/database/dialect.js'
import { listDependents } from '../../../src/coordinator/database/list-dependents.js'
import {
  type DeleteProjectDeps,
  deleteProjectIf,
  finishProjectDeletions,
} from '../../../src/coordinator/hosting/projects/deletion/delete-project.js'
import { createProjectFinder } from '../../../src/coordinator/hosting/projects/find-project.js'
import { refreshMergeRequestsFrom } from '../../../src/coordinator/planning/merge-requests/refresh/refresh-from-project.js'
import { createLogger } from '../../../src/lib/logger.js'
import { describeOnEachDatabase, openPostgres, openSqlite } from '../../support/databases.js'
import { testAtNight } from '../../support/nightly.js'
import { insertSomeRow, referencesOf, rowCounts } from '../support/fill-tables.js'
import { insertProject } from '../support/insert-project.js'
import { insertRunningJob } from '../support/running-job.js'
import { mostRowsPerPostgresTransaction, mostRowsPerSqliteWrite } from '../support/statement-hooks.js'
import { addPerson } from '../support/test-app.js'

/** More than two steps, and no multiple of one. */
const MANY = STEP_ROWS * 2 + 50

/**
 * Tables whose rows are deleted in one statement with what refers to them, and why that is little. All others are deleted
 * in steps.
 */
const LITTLE: Readonly<Record<string, string>> = {
  board: 'its lists and labels, at most a few hundred',
  deploy_key: 'only keys that no project has',
  deployment: 'its approvals and merge requests',
  feature_flag: 'its strategies, at most a hundred',
  feature_flag_user_list: 'only lists that no strategy names',
  integration: 'its webhook, and replies that last minutes',
  lease: 'the secrets of its log, and one session of its runner',
  member: 'the mark of the provider that has given it',
  merge_train_car: 'the pipelines that have tested it',
  note: 'its suggestions, its emoji and one activity',
  oauth_application: 'its grants are deleted in steps before',
  personal_access_token: 'its sessions',
  pipeline: 'its jobs; what belongs to these is deleted in steps before',
  protected_environment: 'its rules',
  protected_environment_entry: 'the approvals by its rule',
  protected_ref: 'its rules, and its places in approval rules, at most a hundred',
  release: 'its links and milestones',
  scim_group: 'its members, a row of two numbers for each',
}

test('what is deleted with a row is deleted in steps, or is little', async () => {
  const { database } = await openSqlite()
  const parents = [...(await listDependents(database)).keys()]
  const sources = await sourcesOf('src/coordinator')
  const isDeleted = (table: string) => sources.includes(`deleteFrom('${table}')`)
  const isInSteps = (table: string) =>
    new RegExp(String.raw`delete(Dependents|Matching|InSteps)\(\s*[\w.]+,\s*'${table}'`).test(sources)
  const atOnce = parents.filter((table) => isDeleted(table) && !isInSteps(table)).toSorted()
  expect(atOnce).toEqual(Object.keys(LITTLE))
})

/** The texts of all files in a folder. */
async function sourcesOf(folder: string): Promise<string> {
  const files = await readdir(folder, { recursive: true })
  const texts = files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFile(join(folder, file), 'utf8'))
  return (await Promise.all(texts)).join('\n')
}

test('nothing is left to be deleted with a row of any table', async () => {
  const { database } = await openSqlite()
  const dependents = await listDependents(database)
  expect(dependents.size).toBeGreaterThan(25)
  for (const [parent, children] of dependents) {
    const tables = await fillAll(database)
    expect(tables).toContain(parent)
    await deleteDependents(database, parent, 1)
    for (const { table, column } of children) {
      const { rows } = await sql`select 1 from ${sql.table(table)} where ${sql.ref(column)} = 1`.execute(
        database,
      )
      expect(rows, `${table}.${column}`).toEqual([])
    }
  }
})

test('both databases know the same rows to be deleted with others', async () => {
  const [one, other] = [await openSqlite(), await openPostgres()]
  const sorted = async (database: Database) =>
    [...(await listDependents(database))]
      .flatMap(([parent, list]) =>
        list.map((each) => `${parent} < ${each.table}.${each.column} ${each.key} ${each.action}`),
      )
      .toSorted()
  expect(await sorted(other.database)).toEqual(await sorted(one.database))
})

/** Tables that have at most some thousand rows, so that they are read to find what refers to a row. */
const SMALL = new Set(
  ['deploy_key.creator_id', 'deploy_key_project.deploy_key_id', 'deploy_token.creator_id'].concat(
    ['project_upload.uploader_id', 'protected_ref_access.group_id', 'protected_ref_access.user_id'],
    ['push.project_id', 'push.user_id', 'release.author_id', 'runner.creator_id'],
  ),
)

test('rows of large tables that refer to a row are found by an index', async () => {
  const { database } = await openSqlite()
  const all = [...(await listDependents(database)).values()].flat()
  const unindexed: string[] = []
  for (const { table, column } of all) {
    const { rows } = await sql`
      select 1 from pragma_table_info(${table}) where name = ${column} and pk = 1
      union all select 1 from pragma_index_list(${table}) as list, pragma_index_info(list.name) as part
        where part.seqno = 0 and part.name = ${column}`.execute(database)
    if (rows.length === 0) unindexed.push(`${table}.${column}`)
  }
  expect(new Set(unindexed)).toEqual(SMALL)
})

describeOnEachDatabase('a large project', (open) => {
  test('is hidden at once and deleted in steps of bounded size', async () => {
    const { database, deps, projectId } = await openLarge(open)
    const most = await mostRows(database, async () => {
      expect(await deleteProjectIf(deps, projectId)).toBe(true)
      await expect
        .poll(() => rowCounts(database, ['job', 'pipeline', 'project', 'stage', 'test_case']))
        .toEqual({})
    })
    expect(most).toBeGreaterThan(STEP_ROWS / 2)
    expect(most).toBeLessThanOrEqual(STEP_ROWS)
  })

  testAtNight('whose deletion was interrupted stays hidden until a later run has deleted it', async () => {
    const { database, deps, projectId } = await openLarge(open)
    const killed = {
      ...deps,
      onJobsGone: () => {
        throw new Error('killed')
      },
    }
    await deleteProjectIf(killed, projectId)
    const findProject = createProjectFinder(database)
    expect(await findProject(String(projectId))).toBeUndefined()
    expect(await findProject('mary/large')).toBeUndefined()
    expect((await rowCounts(database, ['pipeline'])).pipeline).toBe(MANY)
    await finishProjectDeletions(deps)
    await expect.poll(() => rowCounts(database, ['job', 'pipeline', 'project'])).toEqual({})
  })

  test('a table is emptied of old rows in steps', async () => {
    const { database } = await openLarge(open)
    const most = await mostRows(database, async () => {
      expect(await deleteMatching(database, 'test_case', sql`failed_at < 2`)).toBe(MANY)
    })
    expect(most).toBe(STEP_ROWS)
  })
})

function mostRows(database: Database, work: () => Promise<void>): Promise<number> {
  return dialectOf(database) === 'postgres'
    ? mostRowsPerPostgresTransaction(database, work)
    : mostRowsPerSqliteWrite(work)
}

async function openLarge(open: typeof openSqlite) {
  const { database } = await open()
  const mary = await addPerson(database, 'mary')
  const namespace = await database
    .selectFrom('namespace')
    .select('id')
    .where('owner_id', '=', mary.id)
    .executeTakeFirstOrThrow()
  const { id: projectId } = await insertProject(database, {
    namespace_id: namespace.id,
    creator_id: mary.id,
    full_path: 'mary/large',
  })
  await insertRunningJob(database, { projectId, userId: mary.id })
  await copyRow(database, 'pipeline', { iid: sql`iid + number` })
  await copyRow(database, 'job', {
    token_digest: sql`null`,
    pipeline_id: sql`(select id from pipeline where iid = number + 1)`,
  })
  await sql`insert into test_case (project_id, digest, suite, name, classname, failed_at)
    values (${projectId}, 'd', 's', 'n', 'c', 1)`.execute(database)
  await copyRow(database, 'test_case', { digest: sql`digest || number` })
  const deps: DeleteProjectDeps = {
    database,
    deletions: new Deletions(createLogger('test', 'silent')),
    onProjectDeleted: () => Promise.resolve(),
    onJobsGone: () => undefined,
    onHidden: refreshMergeRequestsFrom,
  }
  return { database, deps, projectId }
}

/** Makes `MANY` rows of the one in a table, with other values in some columns; `number` counts the copies from 1. */
async function copyRow(database: Database, table: string, others: Record<string, unknown>): Promise<void> {
  const { rows } = await sql<object>`select * from ${sql.table(table)}`.execute(database)
  const columns = Object.keys(rows[0] ?? {}).filter((column) => column !== 'id')
  const names = columns.map((column) => sql.ref(column))
  const values = columns.map((column) => others[column] ?? sql.ref(column))
  await sql`with recursive copies (number) as (select 1 union all select number + 1 from copies where number < ${MANY - 1})
    insert into ${sql.table(table)} (${sql.join(names)}) select ${sql.join(values)} from ${sql.table(table)}, copies`.execute(
    database,
  )
}

/** Puts one row into each table, which refers to those with the ID 1. Returns the tables. */
async function fillAll(database: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from sqlite_master where type = 'table' and name not like 'sqlite%' and name not like 'kysely%'
      and name not like '%_text%'`.execute(database)
  const tables = rows.map(({ name }) => name)
  const ids = Object.fromEntries(tables.map((name) => [name, 1]))
  await database.connection().execute(async (connection) => {
    await sql`pragma foreign_keys = off`.execute(connection)
    const references = await referencesOf(connection)
    for (const table of tables) await sql`delete from ${sql.table(table)}`.execute(connection)
    await sql`delete from sqlite_sequence`.execute(connection)
    for (const table of tables) {
      // No row refers to itself.
      const without = ONE_OWNER.includes(table) ? ['namespace', table] : [table]
      await insertSomeRow(connection, table, ids, { references, without })
    }
    await sql`pragma foreign_keys = on`.execute(connection)
  })
  return tables
}

/** Tables with rows that belong either to a project or to a group. */
const ONE_OWNER = ['access_request', 'invitation', 'member', 'old_path', 'share']
