import { describe, expect, test } from 'vitest'
import type { WebSocket } from 'ws'

import { readSession } from '../../../../src/coordinator/ci/jobs/runner-sessions/read-session.js'
import { describeDialFailure } from '../../../../src/coordinator/ci/terminals/dial-failure.js'
import { dialSession } from '../../../../src/coordinator/ci/terminals/dial-session.js'
import { sessionCodec } from '../../../../src/coordinator/ci/terminals/session-codec.js'
import { EgressClient } from '../../../../src/coordinator/egress/egress-client.js'
import { selfSignedCertificate } from '../../../support/certificates.js'
import { AUTHORIZATION, SessionServer } from '../../../support/session-server.js'
import { webServer } from '../../egress/web-server.js'
import { asSocket, closing, nextMessage, openTerminalScene } from './terminal-scene.js'

const SHELL = { columns: 80, rows: 24 }

async function openScene(server: SessionServer, session: unknown = server.session()) {
  const scene = await openTerminalScene({ request: { session } })
  const open = async (): Promise<WebSocket> => {
    const response = await scene.ask(undefined, undefined, SHELL)
    return asSocket(await scene.person(response.json()))
  }
  return { ...scene, server, open }
}

/** Sessions of jobs that are stored, as encrypted rows. */
function storedSessions({ coordinator }: Awaited<ReturnType<typeof openScene>>) {
  return coordinator.database.selectFrom('runner_session').selectAll().execute()
}

describe('a shell in a job whose runner has a session server', () => {
  test('opens there: keys reach it, and its output the person, until it ends', async () => {
    const scene = await openScene(await SessionServer.start())
    const { server } = scene
    const person = await scene.open()
    expect(await nextMessage(person)).toBe('\u0001$ ')
    person.send(JSON.stringify({ kind: 'resize', columns: 100, rows: 30 }))
    person.send(Buffer.from('\0ls\r'))
    expect(await nextMessage(person)).toBe('\u0001ls\r')
    expect(server.requests[0]?.headers).toMatchObject({
      authorization: AUTHORIZATION,
      'sec-websocket-protocol': 'terminal.gitlab.com',
    })
    person.send(Buffer.from('\0exit\r'))
    expect(JSON.parse(await nextMessage(person))).toEqual({ kind: 'exit', code: 0 })
    expect(Buffer.concat(server.received).toString()).toBe('ls\rexit\r')
  })

  test('ends when the person leaves: its program gets the end of the input', async () => {
    const scene = await openScene(await SessionServer.start())
    const person = await scene.open()
    await nextMessage(person)
    const [shell] = scene.server.shells
    const closed = closing(shell!)
    person.close()
    await closed
    expect(Buffer.concat(scene.server.received)).toEqual(Buffer.of(4))
  })

  test('is closed with a reason when the job ends, with which the session is deleted', async () => {
    const scene = await openScene(await SessionServer.start())
    const { runner, job, ask } = scene
    expect(await storedSessions(scene)).toMatchObject([{ job_id: job.id }])
    const person = await scene.open()
    await nextMessage(person)
    const closed = closing(person)
    await runner.update(job, 'success')
    expect(await closed).toEqual([1008, 'The job has ended, or is not held any more'])
    expect(await storedSessions(scene)).toEqual([])
    expect((await ask(undefined, undefined, SHELL)).statusCode).toBe(409)
  })

  test('is shown on the page of the job, and is no place for commands', async () => {
    const scene = await openScene(await SessionServer.start())
    const { coordinator, job, ask } = scene
    const { app, admin, project } = coordinator
    const path = `GET /projects/${project.id}/jobs/${job.id}`
    const details = await app.call(admin, `${path}?with_details=true`)
    expect(details.json()).toMatchObject({ opens_shells: true })
    const entrance = await app.call(admin, `${path}/terminal`)
    expect(entrance.json()).toMatchObject({ state: 'running', problem: null })
    const message = '409 Conflict - The runner of this job opens only interactive shells'
    for (const body of [{ command: ['make'] }, { command: ['top'], ...SHELL }, {}]) {
      const refused = await ask(undefined, undefined, body)
      expect([refused.statusCode, refused.json()]).toEqual([409, { message }])
    }
    expect(scene.server.requests).toEqual([])
  })

  test('is refused with a reason that the person gets', async () => {
    const scene = await openScene(await SessionServer.start({ status: 423 }))
    const person = await scene.open()
    const closed = closing(person)
    const message = 'Somebody has a shell in this job already, and its runner opens one at a time'
    expect(JSON.parse(await nextMessage(person))).toEqual({ kind: 'error', message })
    expect(await closed).toEqual([1000, 'No shell could be opened'])
  })

  test('is not opened in a job whose runner has sent a session that cannot be used', async () => {
    const scene = await openScene(await SessionServer.start(), { url: 'http://192.0.2.1/session' })
    expect(await storedSessions(scene)).toEqual([])
    expect((await scene.ask(undefined, undefined, SHELL)).statusCode).toBe(409)
  })
})

describe('the session of a job request', () => {
  const url = 'https://runner.example:8093/session/0123'
  const sent = { url, authorization: AUTHORIZATION }

  test('has a URL, an authorization, and mostly a certificate', async () => {
    const { cert: certificate } = await selfSignedCertificate('127.0.0.1')
    expect(readSession(sent)).toEqual({ ...sent, certificate: '' })
    expect(readSession({ ...sent, certificate })).toEqual({ ...sent, certificate })
  })

  test.each<[string, unknown]>([
    ['no object', 'https://runner.example'],
    ['null', null],
    ['no URL', { ...sent, url: undefined }],
    ['a URL of another scheme', { ...sent, url: url.replace('https', 'http') }],
    ['a URL with a password', { ...sent, url: url.replace('//', '//user:pass@') }],
    ['a URL with a query', { ...sent, url: `${url}?a=1` }],
    ['a URL with a fragment', { ...sent, url: `${url}#a` }],
    ['a text that is no URL', { ...sent, url: 'https://' }],
    ['a long URL', { ...sent, url: url + 'a'.repeat(2048) }],
    ['no authorization', { url }],
    ['an authorization with a second header', { ...sent, authorization: 'a\r\nHost: b' }],
    ['a long authorization', { ...sent, authorization: 'a'.repeat(256) }],
    ['a text that is no certificate', { ...sent, certificate: '-----BEGIN CERTIFICATE-----\nAAAA\n' }],
    ['a long certificate', { ...sent, certificate: ' '.repeat(16 * 1024 + 1) }],
    ['a certificate that is no text', { ...sent, certificate: [] }],
  ])('is not used if it is, or has, %s', (_what, session) => {
    expect(readSession(session)).toHaveProperty('problem')
  })
})

describe('the connection to a session server', () => {
  const NEVER = new AbortController().signal
  const dial = async (session: ReturnType<SessionServer['session']>, timeout = 5000, signal = NEVER) => {
    const egress = new EgressClient({ allowLocalNetwork: true })
    const result = await dialSession(session, { egress, signal, timeout })
    await egress.close()
    if (result.kind === 'open') result.socket.terminate()
    return result.kind === 'failed' ? describeDialFailure(result.failure) : result.kind
  }

  test('is checked by the name and the certificate of the host', async () => {
    const server = await SessionServer.start({ host: 'localhost' })
    expect(await dial(server.session('localhost'))).toBe('open')
    const other = await SessionServer.start({ host: 'localhost' })
    const { certificate } = other
    expect(await dial({ ...server.session('localhost'), certificate })).toMatch(/^The certificate .* valid/)
    expect(await dial({ ...server.session('localhost'), certificate: '' })).toMatch(
      /^The certificate .* valid/,
    )
  })

  test.each([
    [401, 'The runner opens no more shells in this job: its session is over'],
    [404, 'The runner opens no more shells in this job: its session is over'],
    [503, 'The runner has no terminal for this job yet (status 503). Try again when its script runs'],
    [302, 'The session server of the runner responded with status 302'],
  ])('that is refused with %i has a message', async (status, message) => {
    const server = await SessionServer.start({ status })
    expect(await dial(server.session())).toBe(message)
  })

  test('that cannot be made, or is no WebSocket, has a message', async () => {
    const silent = await SessionServer.start({ status: 'none' })
    expect(await dial(silent.session(), 50)).toMatch(/did not respond within 0.05 seconds/)
    const closed = { ...silent.session(), url: 'https://127.0.0.1:1/session' }
    expect(await dial(closed)).toMatch(/cannot be reached \(ECONNREFUSED\)/)
    const plain = await webServer((_, response) => response.end())
    expect(await dial({ ...closed, url: `https://127.0.0.1:${plain.port}/` })).toMatch(/cannot be reached/)
  })

  test('ends when the person leaves', async () => {
    const silent = await SessionServer.start({ status: 'none' })
    const left = new AbortController()
    const dialed = dial(silent.session(), 5000, left.signal)
    await expect.poll(() => silent.requests.length).toBe(1)
    left.abort()
    expect(await dialed).toBe('aborted')
    expect(await dial(silent.session(), 5000, left.signal)).toBe('aborted')
  })
})

describe('the messages of a session server', () => {
  const { encode, decode, ended } = sessionCodec

  test.each<[string, Buffer, boolean, string[]]>([
    ['keys', Buffer.from('\0ls'), true, ['ls']],
    ['output', Buffer.from('\u0001ls'), true, []],
    ['no bytes', Buffer.from('\0'), true, []],
    ['a size', Buffer.from('{"kind":"resize","columns":80,"rows":24}'), false, []],
    ['the end of the input', Buffer.from('{"kind":"end"}'), false, []],
  ])('for %s of the person', (_what, data, isBinary, messages) => {
    expect(encode(data, isBinary).map(String)).toEqual(messages)
  })

  test('are short enough for the reference runner', () => {
    const pasted = Buffer.alloc(100_000, 'abcdefghij')
    const messages = encode(Buffer.concat([Buffer.of(0), pasted]), true)
    expect(Math.max(...messages.map(({ length }) => length))).toBeLessThanOrEqual(32 * 1024)
    expect(Buffer.concat(messages).equals(pasted)).toBe(true)
  })

  test('are output for the person, and their end an exit', () => {
    expect(decode(Buffer.from('$ ')).toString()).toBe('\u0001$ ')
    expect(ended(false)).toEqual({ kind: 'exit', code: 0 })
    expect(ended(true)).toMatchObject({ kind: 'error' })
  })
})
