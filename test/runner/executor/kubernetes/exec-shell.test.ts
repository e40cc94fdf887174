import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'

import { ExecShell } from '../../../../src/runner/executor/kubernetes/cluster/exec/exec-shell.js'
import { Heartbeat, HEARTBEAT } from '../../../../src/runner/executor/kubernetes/cluster/exec/heartbeat.js'
import { onFinished } from '../../../support/lifetime.js'

const STDOUT = Buffer.of(1)

/** Both ends of a connection. */
async function connect(): Promise<{ socket: WebSocket; peer: WebSocket }> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  onFinished(() => server.close())
  const { port } = server.address() as AddressInfo
  const socket = new WebSocket(`ws://127.0.0.1:${port}`)
  const [[peer]] = (await Promise.all([once(server, 'connection'), once(socket, 'open')])) as [
    [WebSocket],
    [],
  ]
  onFinished(() => {
    socket.terminate()
    peer.terminate()
  })
  return { socket, peer }
}

async function openShell() {
  const { socket, peer } = await connect()
  const parts = { place: 'a container', server: new URL('https://cluster'), heartbeat: HEARTBEAT }
  const shell = new ExecShell({ socket, ...parts, signal: new AbortController().signal })
  return { shell, socket, peer }
}

test('a reader that waits stops the peer, and nothing is lost', async () => {
  const { shell, socket, peer } = await openShell()
  const chunk = Buffer.alloc(100 * 1024, 'x')
  for (let count = 0; count < 10; count++) peer.send(Buffer.concat([STDOUT, chunk]))
  await expect.poll(() => socket.isPaused).toBe(true)
  let bytes = 0
  for await (const output of shell.output) {
    bytes += output.bytes.length
    if (bytes === 10 * chunk.length) break
  }
  expect(bytes).toBe(10 * chunk.length)
})

test('a peer that does not read stops the writer', async () => {
  const { shell, socket, peer } = await openShell()
  peer.pause()
  let received = 0
  peer.on('message', (message: Buffer) => (received += message.length - 1))
  const data = Buffer.alloc(16 * 1024 * 1024)
  const written = new Promise<void>((resolve) => shell.input.write(data, () => resolve()))
  await expect.poll(() => socket.bufferedAmount).toBeGreaterThan(0)
  expect(socket.bufferedAmount).toBeLessThan(100 * 1024)
  expect(shell.input.writableNeedDrain).toBe(true)
  peer.resume()
  await written
  await expect.poll(() => received).toBe(data.length)
})

test.each([
  [{ status: 'Success' }, 0],
  [
    {
      status: 'Failure',
      reason: 'NonZeroExitCode',
      details: { causes: [{ reason: 'ExitCode', message: '7' }] },
    },
    7,
  ],
])('a command ends with the status that the API server gives: %j', async (status, exitCode) => {
  const { shell, peer } = await openShell()
  peer.send(Buffer.concat([Buffer.of(3), Buffer.from(JSON.stringify(status))]))
  peer.close()
  expect(await shell.exitCode()).toBe(exitCode)
})

test.each([
  ['{"status":"Failure","message":"Internal error occurred: x","reason":"InternalError","code":500}', 500],
  ['no JSON', undefined],
])('a status that is no exit code is an error: %s', async (text, status) => {
  const { shell, peer } = await openShell()
  peer.send(Buffer.concat([Buffer.of(3), Buffer.from(text)]))
  peer.close()
  await expect(shell.exitCode()).rejects.toMatchObject({ name: 'ClusterError', status })
})

describe('a heartbeat', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  function start() {
    const problems: string[] = []
    const dead = (problem: string) => void problems.push(problem)
    const heartbeat = new Heartbeat(HEARTBEAT, { ping: () => undefined, dead })
    onFinished(() => heartbeat.stop())
    return { heartbeat, problems }
  }

  test('reports a peer that is silent', () => {
    const { heartbeat, problems } = start()
    vi.advanceTimersByTime(60_000)
    expect(problems).toEqual([])
    heartbeat.heard()
    vi.advanceTimersByTime(60_000)
    expect(problems).toEqual([])
    vi.advanceTimersByTime(20_000)
    expect(problems).toEqual(['nothing was received for 65 seconds'])
  })

  test('is content with a peer that responds', () => {
    const problems: string[] = []
    const dead = (problem: string) => void problems.push(problem)
    const heartbeat: Heartbeat = new Heartbeat(HEARTBEAT, { ping: () => heartbeat.pong(), dead })
    vi.advanceTimersByTime(60 * 60_000)
    heartbeat.stop()
    expect(problems).toEqual([])
  })

  test('waits longer for one that may wait for the command to read its input', () => {
    const { heartbeat, problems } = start()
    heartbeat.wrote(100_000)
    vi.advanceTimersByTime(9 * 60_000)
    expect(problems).toEqual([])
    heartbeat.pong()
    vi.advanceTimersByTime(80_000)
    expect(problems).toHaveLength(1)
  })

  test('expects nothing while nothing is read', () => {
    const { heartbeat, problems } = start()
    heartbeat.suspend()
    vi.advanceTimersByTime(60 * 60_000)
    heartbeat.resume()
    vi.advanceTimersByTime(60_000)
    expect(problems).toEqual([])
  })
})
