// `node scripts/release/save-schema.mjs 1.0.0`: keeps the schemas that the build in dist/ creates as those of a release. The
// next versions are compared with them, see CONTRIBUTING.md ("Change the schema").
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

import Sqlite from 'better-sqlite3'
import { pack } from 'tar-stream'

import { startPostgres } from '../../test/bench/postgres.mjs'
import { command } from '../setup/command.mjs'
import { ensurePostgres } from '../setup/postgres.mjs'
import { run } from '../setup/run.mjs'
import { say, SetupError } from '../setup/say.mjs'

const FOLDER = 'test/coordinator/database/releases'
/** The row that the baseline inserts. */
const SQLITE_SEQUENCE = "insert into sqlite_sequence (name, seq) values ('job', 0)"

await command(async () => {
  const [version] = process.argv.slice(2)
  if (!/^\d+\.\d+\.\d+$/.test(version ?? '')) throw new SetupError('Name the version of the release: 1.0.0')
  const file = `${FOLDER}/${version}.tar.gz`
  await writeArchive(file, { 'sqlite.sql': await sqliteSchema(), 'postgres.sql': await postgresSchema() })
  say(`Saved ${file}`)
  return 0
})

/** @returns {Promise<string>} */
async function sqliteSchema() {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-schema-'))
  try {
    await startOnce(folder)
    const database = new Sqlite(join(folder, 'switchyard.db'), { readonly: true })
    try {
      return dumpSqlite(database)
    } finally {
      database.close()
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

/**
 * Without the tables that SQLite creates itself: those of its own, and those of an index of text.
 * @param {import('better-sqlite3').Database} database
 */
function dumpSqlite(database) {
  const statements = /** @type {string[]} */ (
    database
      .prepare(
        `select sql from sqlite_master where sql is not null and name not like 'sqlite!_%' escape '!'
           and tbl_name not in (select name from pragma_table_list where type = 'shadow') order by rowid`,
      )
      .pluck()
      .all()
  )
  const names = /** @type {string[]} */ (
    database.prepare('select name from kysely_migration order by name').pluck().all()
  )
  return lines([...statements, ...names.map(recorded), SQLITE_SEQUENCE])
}

/** @returns {Promise<string>} */
async function postgresSchema() {
  await ensurePostgres()
  const server = await startPostgres()
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-schema-'))
  try {
    await startOnce(folder, server.url)
    const schema = await run('pg_dump', ['--schema-only', '--no-owner', '--no-privileges', server.url])
    const names = await run('psql', [server.url, '-Atqc', 'select name from kysely_migration order by name'])
    return `${withoutComments(schema)}${lines(names.trim().split('\n').map(recordedInPublic))}`
  } finally {
    await server.stop()
    await rm(folder, { recursive: true })
  }
}

/**
 * Comments name versions of programs; `\restrict` is a command of psql.
 * @param {string} dump
 */
function withoutComments(dump) {
  return `${dump
    .split('\n')
    .filter((line) => line !== '' && !/^(--|\\)/.test(line))
    .join('\n')}\n`
}

/**
 * Starts a coordinator of the build once, which creates the schema.
 * @param {string} folder its data folder
 * @param {string} [databaseUrl]
 */
async function startOnce(folder, databaseUrl) {
  const flags = ['--listen', '127.0.0.1:0', '--data-dir', folder]
  if (databaseUrl !== undefined) flags.push('--database-url', databaseUrl)
  const child = spawn(process.execPath, ['dist/cli/main.js', 'coordinator', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  for await (const line of createInterface({ input: child.stdout })) {
    // It prints its address when it has started.
    if (line.includes('http://')) child.kill('SIGTERM')
  }
  const [code] = await exited
  if (code !== 0) throw new SetupError('The coordinator did not start. Build it: npm run build')
}

/** @param {string} name */
function recorded(name) {
  return `insert into kysely_migration values ('${name}', '2000-01-01T00:00:00.000Z')`
}

/** @param {string} name */
function recordedInPublic(name) {
  return recorded(name).replace('kysely_migration', 'public.kysely_migration')
}

/** @param {string[]} statements */
function lines(statements) {
  return statements.map((statement) => `${statement};\n`).join('')
}

/**
 * A tar.gz whose bytes depend on its content alone.
 * @param {string} file
 * @param {Record<string, string>} files
 */
async function writeArchive(file, files) {
  const archive = pack()
  for (const [name, text] of Object.entries(files)) archive.entry({ name, mtime: new Date(0) }, text)
  archive.finalize()
  await pipeline(archive, createGzip({ level: 9 }), createWriteStream(file))
}
