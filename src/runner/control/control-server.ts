import { once } from 'node:events'
import { mkdir, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { messageOf, SwitchyardError } from '../../lib/errors.js'
import type { Logger } from '../../lib/logger.js'
import { readAtMost } from '../../lib/read-at-most.js'
import type { Control } from './control.js'
import { ControlAnswerError, ControlSocketError, DataDirInUseError } from './errors.js'
import type { PauseRequest } from './messages.js'

/** What the kernel takes as the path of a socket, its ending zero left out. */
const LONGEST_PATH = 107
const MAX_BODY_BYTES = 64 * 1024

export interface ControlServer {
  close(): Promise<void>
}

/**
 * Serves `control` over HTTP at a socket that only its owner may open. Takes the place of a socket that nobody answers
 * at, as killed daemons leave it; throws `DataDirInUseError` when somebody does.
 */
export async function startControlServer(
  socket: string,
  dataDir: string,
  control: Control,
  logger: Logger,
): Promise<ControlServer> {
  await clearSocket(socket, dataDir)
  const server = createServer((request, response) => {
    answer(control, request, response).catch((error: unknown) => {
      logger.warn({ err: error }, 'A command could not be answered')
      response.destroy()
    })
  })
  await listen(server, socket)
  return { close: () => close(server) }
}

async function clearSocket(socket: string, dataDir: string): Promise<void> {
  if (Buffer.byteLength(socket) > LONGEST_PATH) {
    throw new ControlSocketError(
      `The path of the control socket is too long for a socket: ${socket}. Set control_socket to one of up to ${LONGEST_PATH} bytes`,
    )
  }
  // The lock of the directory is taken already: whoever answers is out of its sight, in another container.
  if (await isAnswered(socket)) throw new DataDirInUseError(dataDir)
  await mkdir(dirname(socket), { recursive: true, mode: 0o700 })
  await rm(socket, { force: true })
}

async function isAnswered(socket: string): Promise<boolean> {
  const connection = connect(socket)
  try {
    await once(connection, 'connect')
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'ENOTSOCK') return false
    throw new ControlSocketError(`The control socket ${socket} cannot be used: ${messageOf(error)}`, {
      cause: error,
    })
  } finally {
    connection.destroy()
  }
}

async function listen(server: Server, socket: string): Promise<void> {
  // Nobody else may open it, from its beginning on. The socket is made within this call; only its outcome comes later.
  const mask = process.umask(0o177)
  server.listen(socket)
  process.umask(mask)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw new ControlSocketError(`The control socket ${socket} cannot be made: ${messageOf(error)}`, {
      cause: error,
    })
  }
}

async function close(server: Server): Promise<void> {
  server.close()
  server.closeIdleConnections()
  await once(server, 'close')
}

async function answer(control: Control, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    await route(control, request, response)
  } catch (error) {
    if (!(error instanceof SwitchyardError)) throw error
    send(response, error instanceof ControlAnswerError ? 409 : 500, { error: error.message })
  }
}

async function route(control: Control, request: IncomingMessage, response: ServerResponse): Promise<void> {
  // Else a connection that waits for the next command would keep the server from closing.
  response.setHeader('connection', 'close')
  const command = `${request.method} ${request.url}`
  if (command === 'POST /drain') {
    await stream(response, control.drain())
    return
  }
  const body = await perform(control, command, request)
  if (body) send(response, 200, body)
  else send(response, 404, { error: `${command} is not known` })
}

async function perform(
  control: Control,
  command: string,
  request: IncomingMessage,
): Promise<object | undefined> {
  switch (command) {
    case 'GET /status':
      return control.status()
    case 'GET /jobs':
      return control.jobs()
    case 'POST /pause':
      return await control.pause(await namedIn(request))
    case 'POST /resume':
      return await control.resume(await namedIn(request))
    default:
      return undefined
  }
}

async function namedIn(request: IncomingMessage): Promise<string | undefined> {
  try {
    const body = await readAtMost(request, MAX_BODY_BYTES)
    const { runner } = JSON.parse(body.toString('utf8')) as PauseRequest
    return typeof runner === 'string' ? runner : undefined
  } catch (error) {
    throw new ControlAnswerError('The body is not JSON', { cause: error })
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** A line of JSON for each message. Whoever asked may leave; what was asked for goes on. */
async function stream(response: ServerResponse, messages: AsyncGenerator<object>): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/x-ndjson' })
  const lines = Readable.from(toLines(messages))
  await pipeline(lines, response).catch((error: unknown) => {
    if (!response.destroyed) throw error
  })
}

async function* toLines(messages: AsyncGenerator<object>): AsyncGenerator<string> {
  for await (const message of messages) yield `${JSON.stringify(message)}\n`
}
