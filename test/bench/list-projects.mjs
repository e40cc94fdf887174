import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { startPostgres } from './postgres.mjs'
import { median } from './table.mjs'

const dist = new URL('../../dist/coordinator/', import.meta.url)

/**
 * @template T
 * @param {string} path
 * @returns {Promise<T>}
 */
async function compiled(path) {
  return /** @type {T} */ (await import(new URL(path, dist).href))
}

/** @typedef {typeof import('../../src/coordinator/database/connect.js')} Connect */
/** @typedef {typeof import('../../src/coordinator/database/migrate.js')} Migrate */
/** @typedef {typeof import('../../src/coordinator/resources/projects/list-projects.js')} List */
/** @typedef {typeof import('../../src/coordinator/resources/projects/present-facts.js')} Facts */

const PROJECTS = 100_000
const ROWS_PER_INSERT = 500
const TURNS = 31
const FIRST_PAGE = { page: 1, perPage: 20, offset: 0 }

/** @typedef {import('./main.mjs').Figure} Figure */
/** @typedef {import('../../src/coordinator/database/connect.js').DatabaseSettings} DatabaseSettings */
/** @typedef {import('../../src/coordinator/database/connect.js').Database} Database */

/**
 * A page of 100,000 projects, all its records' facts included, as a user sees it who is a member of none, against a page
 * of twenty.
 * @returns {Promise<Figure[]>}
 */
export async function benchListProjects() {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-bench-list-'))
  const postgres = await startPostgres()
  try {
    return [
      await figure('SQLite', { dialect: 'sqlite', file: join(folder, 'switchyard.db') }),
      await figure('PostgreSQL', { dialect: 'postgres', url: postgres.url }),
    ]
  } finally {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * @param {string} name
 * @param {DatabaseSettings} settings
 * @returns {Promise<Figure>}
 */
async function figure(name, settings) {
  const { connectDatabase } = /** @type {Connect} */ (await compiled('database/connect.js'))
  const { migrate } = /** @type {Migrate} */ (await compiled('database/migrate.js'))
  const database = connectDatabase(settings)
  try {
    await migrate(database, settings.dialect)
    const viewer = await insertPeople(database)
    await insertProjects(database, 0, FIRST_PAGE.perPage)
    const theirs = await pageTime(database, viewer)
    await insertProjects(database, FIRST_PAGE.perPage, PROJECTS)
    const ours = await pageTime(database, viewer)
    return {
      name: `a page of ${PROJECTS} projects, ${name}`,
      ours: milliseconds(ours),
      baseline: 'a page of 20',
      theirs: milliseconds(theirs),
      ratio: ours / theirs,
      target: 'under 30 ms',
    }
  } finally {
    await database.destroy()
  }
}

/** @param {Database} database */
async function insertPeople(database) {
  const now = Date.now()
  const namespace = { kind: /** @type {const} */ ('group'), visibility: /** @type {const} */ ('public') }
  await database
    .insertInto('namespace')
    .values({ ...namespace, name: 'g', path: 'g', full_path: 'g', created_at: now })
    .execute()
  const account = { state: /** @type {const} */ ('active'), is_admin: false, created_at: now }
  return database
    .insertInto('user')
    .values({ ...account, username: 'u', name: 'u', email: 'u' })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/**
 * @param {Database} database
 * @param {number} from
 * @param {number} to
 */
async function insertProjects(database, from, to) {
  for (let start = from; start < to; start += ROWS_PER_INSERT) {
    const rows = Array.from({ length: Math.min(ROWS_PER_INSERT, to - start) }, (_, index) => {
      const name = `p${start + index}`
      const at = start + index
      return {
        ...{ namespace_id: 1, creator_id: 1, name, path: name, full_path: `g/${name}` },
        ...{ visibility: /** @type {const} */ ('public'), runners_token_digest: name },
        ...{ runners_token_encrypted: '', created_at: at, updated_at: at, last_activity_at: at },
      }
    })
    await database.insertInto('project').values(rows).execute()
  }
}

/**
 * @param {Database} database
 * @param {import('../../src/coordinator/http/operation.js').User} viewer
 */
async function pageTime(database, viewer) {
  const { listProjects } = /** @type {List} */ (await compiled('resources/projects/list-projects.js'))
  const { loadFacts } = /** @type {Facts} */ (await compiled('resources/projects/present-facts.js'))
  /** @type {number[]} */
  const times = []
  for (let turn = 0; turn < TURNS; turn++) {
    const before = performance.now()
    const { rows } = await listProjects(database, {}, viewer, FIRST_PAGE)
    await loadFacts(database, rows, viewer)
    times.push(performance.now() - before)
  }
  return median(times)
}

/** @param {number} time */
function milliseconds(time) {
  return `${time.toFixed(1)} ms`
}
