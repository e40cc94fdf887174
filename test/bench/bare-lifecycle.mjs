// What Fastify and SQLite do alone with the life of a job: each step that must survive a power cut is one commit. Its
// parent sends the number of jobs, and receives the port.
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import Sqlite from 'better-sqlite3'
import fastify from 'fastify'

const [{ jobs }] = /** @type {[{ jobs: number }]} */ (await once(process, 'message'))
const folder = mkdtempSync(join(tmpdir(), 'switchyard-bench-bare-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
process.once('SIGTERM', () => process.exit())
const database = new Sqlite(join(folder, 'bare.db'))
database.pragma('journal_mode = WAL')
database.pragma('synchronous = FULL')
database.exec(`
  create table job (id integer primary key, status text not null, digest text, size integer not null default 0);
  create index pending on job (id) where status = 'pending'`)
const add = database.prepare(`insert into job (status) values ('pending')`)
database.transaction(() => {
  for (let job = 0; job < jobs; job++) add.run()
})()
const take = database.prepare(
  `update job set status = 'running', digest = ? where id = (select id from job where status = 'pending' limit 1) returning id`,
)
const find = database.prepare(`select id from job where id = ? and digest = ? and status = 'running'`)
const finish = database.prepare(`update job set status = ? where id = ?`)

/** @param {unknown} token */
const digest = (token) => createHash('sha256').update(String(token)).digest('hex')

const app = fastify()
app.addContentTypeParser('text/plain', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
app.post('/api/v4/jobs/request', (_request, reply) => {
  const token = randomBytes(20).toString('hex')
  const job = /** @type {{ id: number } | undefined} */ (take.get(digest(token)))
  if (!job) return reply.code(204).send()
  return reply
    .code(201)
    .send({ id: job.id, token, variables: [], steps: [{ name: 'script', script: ['true'] }] })
})
app.patch('/api/v4/jobs/:id/trace', async (request, reply) => {
  const { id } = /** @type {{ id: string }} */ (request.params)
  if (!find.get(id, digest(request.headers['job-token']))) return reply.code(403).send()
  await appendFile(join(folder, `${id}.log`), /** @type {Buffer} */ (request.body))
  return reply.code(202).send()
})
app.put('/api/v4/jobs/:id', (request, reply) => {
  const { id } = /** @type {{ id: string }} */ (request.params)
  const { token, state } = /** @type {{ token: string, state: string }} */ (request.body)
  if (!find.get(id, digest(token))) return reply.code(403).send()
  finish.run(state, id)
  return reply.code(200).send(200)
})
await app.listen({ port: 0, host: '127.0.0.1' })
const address = app.server.address()
process.send?.(typeof address === 'object' && address ? address.port : 0)
