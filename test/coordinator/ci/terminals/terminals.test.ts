import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { beforeEach, describe, expect, test, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'

import type { Side, TerminalNews } from '../../../../src/coordinator/ci/signals/terminal-news.js'
import { TerminalRelay } from '../../../../src/coordinator/ci/terminals/relay.js'
import { serveTerminals } from '../../../../src/coordinator/ci/terminals/sockets.js'
import { createLogger } from '../../../../src/lib/logger.js'
import { tokenDigest } from '../../../../src/lib/tokens.js'
import { openSqlite } from '../../../support/databases.js'
import { onFinished } from '../../../support/lifetime.js'
import { pushPipeline, startCiCoordinator } from '../../support/ci-coordinator.js'
import { RunnerClient } from '../../support/runner-client.js'

const LOGGER = createLogger('test', 'silent')

/** A server of terminals, and a held job whose runner opens them. */
async function openScene() {
  const coordinator = await startCiCoordinator({}, openSqlite)
  const runner = await RunnerClient.register(coordinator)
  await pushPipeline(coordinator, 'build: { script: [make] }')
  const job = await runner.takeJob()
  const now = Date.now()
  await coordinator.database
    .insertInto('job_hold')
    .values({
      job_id: job.id,
      token_digest: tokenDigest('hold'),
      place: 'container',
      has_terminal: true,
      since: now,
      until: now + 60_000,
      latest: now + 60_000,
    })
    .execute()
  const relay = new TerminalRelay({ onEnd: () => {}, logger: LOGGER })
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  onFinished(() => void server.close())
  const url = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const clock = { now: Date.now }
  serveTerminals(server, {
    engine: coordinator.engine,
    watches: coordinator.watches,
    onChanged: () => {},
    relay,
    externalUrl: `http://${url}`,
    logger: LOGGER,
    checkEvery: 20,
    now: () => clock.now(),
  })
  const ticket = async () => {
    const path = `POST /projects/${coordinator.project.id}/jobs/${job.id}/terminal`
    const response = await coordinator.app.call(coordinator.admin, path, { command: ['ls'] })
    expect(response.statusCode).toBe(201)
    return response.json<{ ticket: string; url: string }>()
  }
  const person = ({ ticket: text, url: path }: { ticket: string; url: string }, headers = {}) =>
    opened(new WebSocket(`ws://${url}${path}`, ['switchyard.terminal', `ticket.${text}`], { headers }))
  const joining = ({ url: path }: { url: string }, token = 'hold') =>
    opened(new WebSocket(`ws://${url}${path}`, { headers: { 'hold-token': token } }))
  return { coordinator, job, url, clock, ticket, person, joining }
}

/** The socket, or the status of the refusal. */
async function opened(socket: WebSocket): Promise<WebSocket | number> {
  onFinished(() => socket.terminate())
  if (socket.readyState === socket.OPEN) return socket
  // A message may arrive together with the response.
  socket.once('open', () => socket.pause())
  return await new Promise((resolve, reject) => {
    socket.on('open', () => resolve(socket))
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0))
    socket.on('error', reject)
  })
}

function asSocket(result: WebSocket | number): WebSocket {
  if (typeof result === 'number') throw new Error(`refused with ${result}`)
  return result
}

async function nextMessage(socket: WebSocket): Promise<string> {
  const message = once(socket, 'message')
  socket.resume()
  const [data] = (await message) as [Buffer]
  return data.toString('utf8')
}

describe('a terminal', () => {
  test('connects a person with a ticket and the runner of the job, until one of them leaves', async () => {
    const { ticket, person, joining } = await openScene()
    const given = await ticket()
    const one = asSocket(await person(given))
    // What is sent before the runner is there waits.
    one.send(Buffer.from('\0typed'))
    const other = asSocket(await joining(given))
    expect(await nextMessage(other)).toBe('\0typed')
    other.send('{"kind":"exit","code":0}')
    expect(await nextMessage(one)).toBe('{"kind":"exit","code":0}')
    const closed = once(one, 'close')
    one.resume()
    other.close()
    await closed
  })

  test('is opened once with a ticket, in time, from the own origin; and joined once by the own runner', async () => {
    const { clock, ticket, person, joining, url } = await openScene()
    const first = await ticket()
    expect(await person({ ...first, ticket: 'wrong' })).toBe(403)
    expect(await person(first, { origin: 'http://evil.example' })).toBe(403)
    asSocket(await person(first, { origin: `http://${url}` }))
    expect(await person(first)).toBe(403)
    expect(await joining(first, 'wrong')).toBe(403)
    asSocket(await joining(first))
    expect(await joining(first)).toBe(403)
    const late = await ticket()
    clock.now = () => Date.now() + 31_000
    expect(await person(late)).toBe(403)
    expect(await joining(late)).toBe(403)
  })

  test('is refused when the hold has ended, or the runner opens none', async () => {
    const { coordinator, job } = await openScene()
    const { database, app, admin, project } = coordinator
    const ask = async () =>
      (await app.call(admin, `POST /projects/${project.id}/jobs/${job.id}/terminal`)).statusCode
    await database.updateTable('job_hold').set({ has_terminal: false }).execute()
    expect(await ask()).toBe(409)
    await database.updateTable('job_hold').set({ has_terminal: true, ended_at: Date.now() }).execute()
    expect(await ask()).toBe(409)
  })

  test('is closed when the person may not use it any longer, and not opened then', async () => {
    const { coordinator, ticket, person, joining } = await openScene()
    const [used, unused] = [await ticket(), await ticket()]
    const socket = asSocket(await person(used))
    asSocket(await joining(used))
    const closed = once(socket, 'close')
    socket.resume()
    await coordinator.database.updateTable('user').set({ state: 'blocked' }).execute()
    const [code] = (await closed) as [number]
    expect(code).toBe(1008)
    expect(await person(unused)).toBe(403)
  })

  test('leaves room for others when its ticket was not used', async () => {
    const { coordinator, clock, ticket } = await openScene()
    const { app, admin, project, database } = coordinator
    for (let turn = 0; turn < 10; turn += 1) await ticket()
    const { id } = await database.selectFrom('job').select('id').executeTakeFirstOrThrow()
    const path = `POST /projects/${project.id}/jobs/${id}/terminal`
    expect((await app.call(admin, path)).statusCode).toBe(429)
    await database
      .updateTable('job_terminal')
      .set({ created_at: clock.now() - 31_000 })
      .execute()
    expect((await app.call(admin, path)).statusCode).toBe(201)
  })

  test('leaves no secret in the audit trail', async () => {
    const { coordinator, ticket } = await openScene()
    const given = await ticket()
    const events = await coordinator.database.selectFrom('audit_event').selectAll().execute()
    expect(JSON.stringify(events)).not.toContain(given.ticket)
  })
})

describe('a terminal whose sides are at two coordinators', () => {
  let relays: TerminalRelay[]
  let longest = 0

  beforeEach(() => {
    longest = 0
    const send = (to: number) => async (news: TerminalNews) => {
      longest = Math.max(longest, JSON.stringify(news).length)
      await new Promise((resolve) => setImmediate(resolve))
      relays[to]?.receive(JSON.parse(JSON.stringify(news)) as TerminalNews)
    }
    relays = [1, 0].map((to) => new TerminalRelay({ send: send(to), onEnd: vi.fn(), logger: LOGGER }))
  })

  async function join(relay: number, side: Side): Promise<WebSocket> {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
    onFinished(() => {
      server.close()
    })
    await once(server, 'listening')
    const connected = once(server, 'connection')
    const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
    onFinished(() => socket.terminate())
    const [accepted] = (await connected) as [WebSocket]
    relays[relay]?.join('terminal', side, accepted)
    await opened(socket)
    return socket
  }

  test.each<[Side, Side]>([
    ['person', 'runner'],
    ['runner', 'person'],
  ])('passes bytes in order and in small pieces, whichever comes first: %s', async (first, second) => {
    const one = await join(0, first)
    const sent = Buffer.concat([Buffer.of(1), Buffer.alloc(100_000, 'abcdefghij')])
    one.send(sent)
    const other = await join(1, second)
    const received: Buffer[] = []
    other.on('message', (data: Buffer) => received.push(data.subarray(1)))
    other.resume()
    await expect.poll(() => Buffer.concat(received).length).toBe(100_000)
    expect(Buffer.concat(received).equals(sent.subarray(1))).toBe(true)
    expect(longest).toBeLessThan(7900)
    const closed = once(other, 'close')
    one.resume()
    one.close()
    await closed
  })
})
