// The least that Fastify and SQLite do for the life of a job, where each step that must survive a power cut is one commit.
// What can be computed again from the database is kept in memory. The parent sends how many jobs become pending and whether
// they have files, and receives the port.
import { hash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

import Sqlite from 'better-sqlite3'
import fastify from 'fastify'

const folder = mkdtempSync(join(tmpdir(), 'switchyard-bench-bare-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
process.once('SIGTERM', () => process.exit())
const database = new Sqlite(join(folder, 'bare.db'))
database.pragma('journal_mode = WAL')
database.pragma('synchronous = FULL')
database.exec(`
  create table job (id integer primary key, status text not null, digest text);
  create table file (job_id integer not null, name text not null, primary key (job_id, name)) without rowid`)
const add = database.prepare(`insert into job (status) values ('pending')`)
const take = database.prepare(`update job set status = 'running', digest = ? where id = ?`)
const store = database.prepare(`insert or replace into file (job_id, name) values (?, ?)`)
const finish = database.prepare(`update job set status = ? where id = ?`)

/** @typedef {{ id: number, files: object }} PendingJob */
/** @type {PendingJob[]} */
const pending = []
/** @type {Map<string, { digest: string, log: Promise<import('node:fs/promises').FileHandle> | undefined }>} */
const running = new Map()

process.on('message', (/** @type {{ jobs: number, hasFiles: boolean }} */ { jobs, hasFiles }) => {
  database.transaction(() => {
    const ids = Array.from({ length: jobs }, () => Number(add.run().lastInsertRowid))
    pending.push(
      ...ids.map((id, index) => ({ id, files: hasFiles ? filesOf(id, ids[index - jobs / 2]) : {} })),
    )
  })()
  process.send?.('added')
})

const app = fastify()
app.addContentTypeParser('text/plain', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
app.addContentTypeParser('*', (_request, _body, done) => done(null))

app.post('/api/v4/jobs/request', (_request, reply) => {
  const job = pending.shift()
  if (!job) return reply.code(204).send()
  const token = randomBytes(20).toString('hex')
  const digest = hash('sha256', token)
  take.run(digest, job.id)
  running.set(String(job.id), { digest, log: undefined })
  return reply.code(201).send({
    ...{ id: job.id, token, variables: [], steps: [{ name: 'script', script: ['true'] }] },
    ...job.files,
  })
})

app.patch('/api/v4/jobs/:id/trace', async (request, reply) => {
  const { id } = /** @type {{ id: string }} */ (request.params)
  const job = authenticated(id, request.headers['job-token'])
  if (!job) return reply.code(403).send()
  job.log ??= open(join(folder, `${id}.log`), 'a')
  await (await job.log).write(/** @type {Buffer} */ (request.body))
  return reply.code(202).send()
})

app.put('/api/v4/jobs/:id', async (request, reply) => {
  const { id } = /** @type {{ id: string }} */ (request.params)
  const { token, state } = /** @type {{ token: string, state: string }} */ (request.body)
  const job = authenticated(id, token)
  if (!job) return reply.code(403).send()
  if (state === 'running') return reply.code(200).send(200)
  finish.run(state, id)
  running.delete(id)
  await (await job.log)?.close()
  return reply.code(200).send(200)
})

app.post('/api/v4/jobs/:id/artifacts', (request, reply) => receive(request, reply, 'artifacts'))
app.put('/api/v4/jobs/:id/cache', (request, reply) => receive(request, reply, 'cache'))
app.get('/api/v4/jobs/:id/artifacts', (request, reply) => {
  const { id } = /** @type {{ id: string }} */ (request.params)
  return reply.send(createReadStream(join(folder, `${id}.artifacts`)))
})
// Nobody has saved it.
app.get('/api/v4/jobs/:id/cache', (_request, reply) => reply.code(404).send())

/**
 * The first half of the jobs makes files, and each of the other half fetches those of one.
 * @param {number} id
 * @param {number | undefined} maker
 */
function filesOf(id, maker) {
  return maker === undefined
    ? {
        cache: [{ key: `key-${id}`, policy: 'pull-push' }],
        artifacts: [{ artifact_type: 'archive' }, { artifact_type: 'dotenv' }],
      }
    : { cache: [{ key: 'shared', policy: 'pull' }], dependencies: [{ id: maker, artifacts_file: {} }] }
}

/**
 * @param {string} id
 * @param {unknown} token
 */
function authenticated(id, token) {
  const job = running.get(id)
  return job?.digest === hash('sha256', String(token)) ? job : undefined
}

/**
 * @param {import('fastify').FastifyRequest} request
 * @param {import('fastify').FastifyReply} reply
 * @param {string} name
 */
async function receive(request, reply, name) {
  const { id } = /** @type {{ id: string }} */ (request.params)
  if (!authenticated(id, request.headers['job-token'])) return reply.code(403).send()
  await pipeline(request.raw, createWriteStream(join(folder, `${id}.${name}`), { flush: true }))
  store.run(id, name)
  return reply.code(201).send(201)
}

await app.listen({ port: 0, host: '127.0.0.1' })
const address = app.server.address()
process.send?.(typeof address === 'object' && address ? address.port : 0)
await once(process, 'disconnect')
process.exit()
