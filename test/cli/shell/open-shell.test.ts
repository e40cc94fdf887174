import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'

import { expect, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'

import { openShell } from '../../../src/cli/commands/shell/open-shell.js'
import { TERMINAL_PROTOCOL } from '../../../src/protocol/terminal.js'
import { onFinished } from '../../support/lifetime.js'

/** A server whose shells end at once, as `end` says. Returns the address of a job. */
async function openServer(end: (socket: WebSocket) => void): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(201, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ ticket: 'ticket', url: '/api/v4/terminals/one' }))
  })
  const sockets = new WebSocketServer({ server, handleProtocols: () => TERMINAL_PROTOCOL })
  sockets.on('connection', end)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onFinished(() => {
    sockets.close()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/group/app/-/jobs/42`
}

const AGAIN = 'Run the command again to open another shell.'

test.each<[string, (socket: WebSocket) => void, string]>([
  [
    'the coordinator of the runner was killed',
    (socket) => socket.close(1013, 'The connection between the coordinators was lost'),
    `The connection between the coordinators was lost. ${AGAIN}`,
  ],
  [
    'the coordinator of the person was killed',
    (socket) => socket.terminate(),
    `The connection to the server was lost. ${AGAIN}`,
  ],
  [
    'the person may not use it any longer',
    (socket) => socket.close(1008, 'You may not use this terminal any longer'),
    'You may not use this terminal any longer',
  ],
])(
  'a shell that ends because %s says so, and whether another one can be opened',
  async (_why, end, message) => {
    const url = await openServer(end)
    const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() }
    await expect(openShell(url, ['true'], { token: 'token' }, streams)).rejects.toThrow(
      expect.objectContaining({ name: 'ShellError', message }) as Error,
    )
  },
)
