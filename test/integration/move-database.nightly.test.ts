import { randomInt } from 'node:crypto'
import { once, setMaxListeners } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'

import { connectDatabase, type Database } from '../../src/coordinator/database/connect.js'
import { moveDatabase } from '../../src/coordinator/database/move/move-database.js'
import { insertRunningJob } from '../coordinator/support/running-job.js'
import { addPerson } from '../coordinator/support/test-app.js'
import { createEmptyPostgres, openSqlite } from '../support/databases.js'
import { freePort } from '../support/free-port.js'
import { Api } from './support/api.js'
import { BusyWorker } from './support/busy-worker.js'
import { everythingShown } from './support/everything-shown.js'
import { runSwitchyard, startSwitchyard } from './support/processes.js'
import { System } from './support/system.js'
import { until } from './support/until.js'

const CI_FILE = `
build: {script: [make]}
test: {script: [make test]}
`
/** The same before and after, so that links are equal; no job loses its runner. */
const ENVIRONMENT = {
  SWITCHYARD_EXTERNAL_URL: 'http://ci.example.test',
  SWITCHYARD_LONG_POLL_SECONDS: '1',
  SWITCHYARD_LEASE_SECONDS: '600',
  SWITCHYARD_LEASE_FIRST_CONTACT_SECONDS: '600',
}
const KILLS = 8

describe('a move from SQLite to PostgreSQL', () => {
  test('that is killed at any moment is completed by the next run, and the API shows the same', async () => {
    const system = await System.start(undefined, ENVIRONMENT)
    onTestFinished(() => system.stop())
    const project = await system.createProject()
    await project.pushCi(CI_FILE)
    await runJobs(system)
    const shown = await everythingShown(system.api)
    const dataDir = join(system.directory, 'coordinator')
    const to = await createEmptyPostgres()
    const command = ['admin', 'move-database', '--to', to, '--data-dir', dataDir]
    expect(await runSwitchyard(command)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/has .* open/) as string,
    })
    await system.killCoordinator()
    // So that a kill happens between two parts of a table.
    await inFile(join(dataDir, 'switchyard.db'), (database) => addAuditEvents(database, 200_000))

    for (let kill = 0; kill < KILLS; kill++) {
      const running = startSwitchyard(command)
      await sleep(randomInt(100, 4000)) // any moment of the work
      await running.kill('SIGKILL')
    }
    const last = await runSwitchyard(command)
    if (last.exitCode !== 0) expect(last.stderr).toContain('has moved already') // a killed run was complete
    const refused = await runSwitchyard(['coordinator', '--listen', '127.0.0.1:0', '--data-dir', dataDir])
    expect(refused).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('has moved to postgres://') as string,
    })

    expect(await everythingShown(await continued(dataDir, to))).toEqual(shown)
    const events = await countIn(to, sql`audit_event`)
    expect(events).toBeGreaterThanOrEqual(200_000)
  })

  test('brings a million jobs', async ({ annotate }) => {
    const { database, settings } = await openSqlite()
    const user = await addPerson(database, 'ada')
    await insertRunningJob(database, { projectId: await addProject(database, user.id), userId: user.id })
    await addJobs(database, 1_000_000)
    await database.destroy()
    const url = await createEmptyPostgres()
    const begin = performance.now()
    const { file } = settings as { file: string }
    const { rows } = await moveDatabase(file, { url, name: 'the target' })
    const seconds = (performance.now() - begin) / 1000
    await annotate(`${rows} rows in ${seconds.toFixed(1)} s: ${Math.round(rows / seconds)} rows/s`)
    expect(await countIn(url, sql`job`)).toBe(1_000_000)
  })
})

async function runJobs(system: System): Promise<void> {
  const { token } = await system.api.json<{ token: string }>('POST', '/user/runners', {
    runner_type: 'instance_type',
    run_untagged: true,
  })
  const worker = new BusyWorker(`${system.api.url}/api/v4`, token)
  const stopping = new AbortController()
  // Each request listens until its memory is collected.
  setMaxListeners(0, stopping.signal)
  const work = worker.run(stopping.signal)
  const running = await worker.begin(AbortSignal.timeout(30_000))
  stopping.abort()
  await work
  expect(running).toBeGreaterThan(0)
}

/** The coordinator of the same data folder on PostgreSQL. */
async function continued(dataDir: string, url: string): Promise<Api> {
  const port = await freePort()
  const args = ['--listen', `127.0.0.1:${port}`, '--data-dir', dataDir, '--database-url', url]
  const coordinator = startSwitchyard(['coordinator', ...args], ENVIRONMENT)
  onTestFinished(() => coordinator.kill('SIGTERM'))
  const ended = once(coordinator.child, 'close').then(() => {
    throw new Error(coordinator.log())
  })
  const api = new Api(`http://127.0.0.1:${port}`, 'integration-administrator-token')
  const ready = until(
    'the coordinator to be ready',
    async () => {
      const response = await fetch(`${api.url}/-/readiness`).catch(() => undefined) // it does not listen yet
      return response?.ok ? true : undefined
    },
    () => coordinator.log(),
  )
  await Promise.race([ready, ended])
  ended.catch(() => undefined) // at the end of the test
  return api
}

async function inFile(file: string, work: (database: Database) => Promise<unknown>): Promise<void> {
  const database = connectDatabase({ dialect: 'sqlite', file })
  try {
    await work(database)
  } finally {
    await database.destroy()
  }
}

async function countIn(url: string, table: ReturnType<typeof sql>): Promise<number | undefined> {
  const database = connectDatabase({ dialect: 'postgres', url })
  try {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${table}`.execute(database)
    return rows[0]?.count
  } finally {
    await database.destroy()
  }
}

async function addAuditEvents(database: Database, count: number): Promise<void> {
  await sql`
    insert into audit_event (author_id, entity_type, entity_id, details, created_at)
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})
    select 1, 'Project', n, json_object('n', n), ${Date.now()} from numbers`.execute(database)
}

async function addProject(database: Database, userId: number): Promise<number> {
  const { id: namespace_id } = await database
    .selectFrom('namespace')
    .select('id')
    .where('full_path', '=', 'ada')
    .executeTakeFirstOrThrow()
  const times = { created_at: 1, updated_at: 1, last_activity_at: 1 }
  const { id } = await database
    .insertInto('project')
    .values({
      ...times,
      namespace_id,
      creator_id: userId,
      name: 'app',
      path: 'app',
      full_path: 'ada/app',
      visibility: 'private',
      runners_token_digest: 'digest',
      runners_token_encrypted: 'sealed',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Copies of the only job, until there are `count`. */
async function addJobs(database: Database, count: number): Promise<void> {
  const { rows } = await sql<{ name: string }>`select name from pragma_table_info('job')`.execute(database)
  const names = rows.map(({ name }) => name).filter((name) => !['id', 'token_digest', 'name'].includes(name))
  const columns = sql.join(names.map((name) => sql.ref(name)))
  await sql`
    insert into job (${columns}, name)
    with recursive numbers (n) as (select 2 union all select n + 1 from numbers where n < ${count})
    select ${columns}, 'job ' || n from job, numbers`.execute(database)
}
