import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

import { beforeEach, describe, expect, test, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'

import { insertAuditEvent } from '../../../../src/coordinator/accounts/audit-events/store.js'
import type { Side, TerminalNews } from '../../../../src/coordinator/ci/signals/terminal-news.js'
import { IdleLimit } from '../../../../src/coordinator/ci/terminals/idle-limit.js'
import { LOST_AFTER } from '../../../../src/coordinator/ci/terminals/lost-after.js'
import { TerminalRelay } from '../../../../src/coordinator/ci/terminals/relay.js'
import { endLostTerminals } from '../../../../src/coordinator/ci/terminals/store.js'
import { recordLost } from '../../../../src/coordinator/ci/terminals/visits.js'
import { onFinished } from '../../../support/lifetime.js'
import {
  addMember,
  asSocket,
  closing,
  LOGGER,
  nextMessage,
  opened,
  openTerminalScene,
} from './terminal-scene.js'

const HOLD = { 'hold-token': 'hold' }

async function openScene() {
  const scene = await openTerminalScene()
  await scene.hold()
  return scene
}

describe('a terminal', () => {
  test('connects a person with a ticket and the runner of the job, until one of them leaves', async () => {
    const { ticket, person, joining } = await openScene()
    const given = await ticket()
    const one = asSocket(await person(given))
    // What is sent before the runner is there waits.
    one.send(Buffer.from('\0typed'))
    const other = asSocket(await joining(given, HOLD))
    expect(await nextMessage(other)).toBe('\0typed')
    other.send('{"kind":"exit","code":0}')
    expect(await nextMessage(one)).toBe('{"kind":"exit","code":0}')
    const closed = closing(one)
    other.close()
    await closed
  })

  test('is refused when the hold has ended, or the runner opens none', async () => {
    const { coordinator, job, runner, ask } = await openScene()
    const { database } = coordinator
    await database.updateTable('job_hold').set({ has_terminal: false }).execute()
    expect((await ask()).statusCode).toBe(409)
    await database.updateTable('job_hold').set({ has_terminal: true, ended_at: Date.now() }).execute()
    await runner.update(job, 'failed')
    expect((await ask()).json()).toEqual({ message: '409 Conflict - The job has ended and is not held' })
  })

  test('is closed with a reason when the person may not use it any longer, and not opened then', async () => {
    const { coordinator, ticket, person, joining } = await openScene()
    const [used, unused] = [await ticket(), await ticket()]
    const socket = asSocket(await person(used))
    asSocket(await joining(used, HOLD))
    const closed = closing(socket)
    await coordinator.database.updateTable('user').set({ state: 'blocked' }).execute()
    expect(await closed).toEqual([1008, 'You may not use this terminal any longer'])
    expect(await person(unused)).toBe(403)
  })

  test('is closed when administrators switch shells off, and after the longest time', async () => {
    const { settings, ticket, person } = await openScene()
    const closed = closing(asSocket(await person(await ticket())))
    settings.areEnabled = false
    expect(await closed).toEqual([1008, 'An administrator has switched shells in jobs off'])
    settings.areEnabled = true
    settings.maxSeconds = 0.02
    expect(await closing(asSocket(await person(await ticket())))).toEqual([
      1008,
      'A shell ends after 0.02 seconds here',
    ])
  })

  test('opens in a running job, for its runner with the token of the job, and ends with the job', async () => {
    const { runner, job, ticket, person, joining } = await openTerminalScene()
    const given = await ticket()
    const one = asSocket(await person(given))
    const other = asSocket(await joining(given, { 'job-token': job.token }))
    other.send(Buffer.from('\u0001prompt'))
    expect(await nextMessage(one)).toBe('\u0001prompt')
    const closed = closing(one)
    await runner.update(job, 'success')
    expect(await closed).toEqual([1008, 'The job has ended, or is not held any more'])
  })

  test('reaches the runner of a running job that waits for signals, once', async () => {
    const { coordinator, job, ticket } = await openTerminalScene()
    const { id } = (await ticket()) as unknown as { id: string }
    const signals = (terminals: string) =>
      fetch(`${coordinator.url}/jobs/${job.id}/signals?terminals=${terminals}`, {
        headers: { 'job-token': job.token },
      })
    const wanted = await signals('')
    expect(await wanted.json()).toEqual({ terminals: [{ id, command: ['ls'], columns: 0, rows: 0 }] })
    coordinator.stop.abort()
    expect((await signals(id)).status).toBe(204)
  })

  test('leaves room for others when its ticket was not used, or its coordinator was killed', async () => {
    const { coordinator, clock, ask, ticket, person } = await openScene()
    const { database } = coordinator
    asSocket(await person(await ticket()))
    for (let turn = 1; turn < 10; turn += 1) await ticket()
    expect((await ask()).statusCode).toBe(429)
    const old = clock.now() - LOST_AFTER - 1000
    await database.updateTable('job_terminal').set({ created_at: old }).execute()
    expect((await ask()).statusCode).toBe(201)
    await database.updateTable('job_terminal').set({ seen_at: old, created_at: old }).execute()
    await endLostTerminals(database, clock.now() - LOST_AFTER, clock.now())
    const open = await database
      .selectFrom('job_terminal')
      .select('key')
      .where('ended_at', 'is', null)
      .execute()
    expect(open).toEqual([])
  })

  test('is in the audit trail with who opened it and who left it, and when', async () => {
    const { coordinator, job, clock, ticket, person } = await openScene()
    const { database, admin, project } = coordinator
    const events = async () => {
      const rows = await database.selectFrom('audit_event').selectAll().orderBy('id').execute()
      return rows.filter(({ details }) => [details['add'], details['remove']].includes('shell'))
    }
    const socket = asSocket(await person(await ticket()))
    const of = { author_id: admin.id, entity_type: 'Project', entity_id: project.id }
    const about = {
      author_name: 'root',
      target_id: job.id,
      target_details: 'build',
      entity_path: 'group/app',
    }
    const entered = { ...of, details: { ...about, add: 'shell', custom_message: 'Opened a shell in a job' } }
    expect(await events()).toMatchObject([entered])
    const start = Date.now()
    clock.now = () => start + 90_000
    const closed = closing(socket)
    socket.close()
    await closed
    const left = {
      ...of,
      created_at: start + 90_000,
      details: { ...about, remove: 'shell', custom_message: 'Left a shell in a job after 90 s', seconds: 90 },
    }
    await vi.waitFor(async () => expect(await events()).toMatchObject([entered, left]))

    // A coordinator that is killed records nothing more.
    clock.now = () => start
    asSocket(await person(await ticket()))
    await database
      .updateTable('job_terminal')
      .set({ seen_at: start + 30_000 })
      .execute()
    await recordLost(database, insertAuditEvent, start + 30_000)
    expect(await events()).toHaveLength(3)
    await recordLost(database, insertAuditEvent, start + 30_001)
    await recordLost(database, insertAuditEvent, start + 30_001)
    expect((await events()).map(({ details }) => details['seconds'] ?? null)).toEqual([null, 90, null, 30])
  })

  test('is shown before it is asked for: where it opens, or why it does not', async () => {
    const { coordinator, job, runner, hold } = await openTerminalScene()
    const { app, admin, project, database } = coordinator
    const maintainer = await addMember(coordinator, 'maintainer', 40)
    const entrance = async (as = admin) =>
      (await app.call(as, `GET /projects/${project.id}/jobs/${job.id}/terminal`)).json<object>()
    expect(await entrance()).toMatchObject({ state: 'running', problem: null, place: null })
    expect(await entrance(maintainer)).toMatchObject({ state: 'running', problem: 'forbidden' })
    await hold()
    expect(await entrance(maintainer)).toMatchObject({ state: 'held', problem: null, place: 'container' })
    await database.updateTable('job_hold').set({ has_terminal: false }).execute()
    expect(await entrance()).toMatchObject({ problem: 'runner' })
    await runner.update(job, 'failed')
    await database.updateTable('job_hold').set({ ended_at: Date.now() }).execute()
    expect(await entrance()).toMatchObject({ state: 'ended', problem: 'ended', until: null })
  })
})

/** A socket of one side, at a relay. */
async function join(relay: TerminalRelay, side: Side, endsWhenIdle = false): Promise<WebSocket> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  onFinished(() => {
    server.close()
  })
  await once(server, 'listening')
  const connected = once(server, 'connection')
  const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  onFinished(() => socket.terminate())
  const [accepted] = (await connected) as [WebSocket]
  relay.join('terminal', side, accepted, { endsWhenIdle })
  await opened(socket)
  return socket
}

describe('a terminal in which nothing happens', () => {
  test('ends with a reason, after a warning', async () => {
    const times = { idle: 100, warning: 50 }
    const relay = new TerminalRelay({ onEnd: vi.fn(), logger: LOGGER, times })
    onFinished(() => relay.stop())
    const person = await join(relay, 'person', true)
    const received: string[] = []
    person.on('message', (data: Buffer) => received.push(data.toString('utf8')))
    expect((await closing(person))[1]).toMatch(/^Nothing was typed or printed for/)
    expect(received.map((text) => JSON.parse(text) as object)).toMatchObject([{ kind: 'warning' }])
  })

  test('is kept by keys and output, and warned again after them', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    onFinished(() => void vi.useRealTimers())
    const events = { onWarning: vi.fn(), onEnd: vi.fn() }
    const limit = new IdleLimit(600_000, 60_000, events)
    vi.advanceTimersByTime(539_000)
    limit.active()
    vi.advanceTimersByTime(539_000)
    expect(events.onWarning).not.toHaveBeenCalled()
    vi.advanceTimersByTime(2000)
    expect(events.onWarning).toHaveBeenCalledTimes(1)
    limit.active()
    vi.advanceTimersByTime(541_000)
    expect(events.onWarning).toHaveBeenCalledTimes(2)
    expect(events.onEnd).not.toHaveBeenCalled()
    vi.advanceTimersByTime(60_000)
    expect(events.onEnd).toHaveBeenCalledTimes(1)
  })
})

describe('a terminal whose sides are at two coordinators', () => {
  let relays: TerminalRelay[]
  let longest = 0
  let isCut = false
  let openRelays: (peerHeartbeat: number) => void

  beforeEach(() => {
    longest = 0
    isCut = false
    const send = (to: number) => async (news: TerminalNews) => {
      longest = Math.max(longest, JSON.stringify(news).length)
      await new Promise((resolve) => setImmediate(resolve))
      if (!isCut) relays[to]?.receive(JSON.parse(JSON.stringify(news)) as TerminalNews)
    }
    openRelays = (peerHeartbeat) => {
      const deps = { onEnd: vi.fn(), logger: LOGGER, times: { peerHeartbeat } }
      relays = [1, 0].map((to) => new TerminalRelay({ send: send(to), ...deps }))
    }
    openRelays(5000)
  })

  const joinAt = (relay: number, side: Side) => join(relays[relay]!, side)

  test.each<[Side, Side]>([
    ['person', 'runner'],
    ['runner', 'person'],
  ])('passes bytes in order and in small pieces, whichever comes first: %s', async (first, second) => {
    const one = await joinAt(0, first)
    const sent = Buffer.concat([Buffer.of(1), Buffer.alloc(100_000, 'abcdefghij')])
    one.send(sent)
    const other = await joinAt(1, second)
    const received: Buffer[] = []
    other.on('message', (data: Buffer) => received.push(data.subarray(1)))
    other.resume()
    await expect.poll(() => Buffer.concat(received).length).toBe(100_000)
    expect(Buffer.concat(received).equals(sent.subarray(1))).toBe(true)
    expect(longest).toBeLessThan(7900)
    const closed = closing(other)
    one.resume()
    one.close()
    await closed
  })

  test('ends with a reason for a side that comes after the other one has left', async () => {
    const person = await joinAt(0, 'person')
    person.close(1000, 'Closed the page')
    await closing(person)
    expect(await closing(await joinAt(1, 'runner'))).toEqual([1000, 'Closed the page'])
  })

  test('ends with a reason when the other coordinator is lost', async () => {
    openRelays(50)
    const person = await joinAt(0, 'person')
    const closed = closing(person)
    const received = nextMessage(person)
    const runner = await joinAt(1, 'runner')
    runner.resume()
    runner.send(Buffer.from('\u0001hello'))
    expect(await received).toBe('\u0001hello')
    isCut = true
    expect(await closed).toEqual([1013, 'The connection between the coordinators was lost'])
  })
})
