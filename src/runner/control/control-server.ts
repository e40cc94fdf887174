import { once } from 'node:events'
import { mkdir, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { messageOf, SwitchyardError } from '../../lib/errors.js'
import { isRecord } from '../../lib/is-record.js'
import type { Logger } from '../../lib/logger.js'
import { readAtMost } from '../../lib/read-at-most.js'
import type { Control } from './control.js'
import { ControlResponseError, ControlSocketError, DataDirInUseError } from './errors.js'
import type { HoldRequest, PauseRequest } from './messages.js'

/** Maximum length of a socket path in Linux, without the terminating zero byte. */
const MAX_PATH_LENGTH = 107
const MAX_BODY_BYTES = 64 * 1024

export interface ControlServer {
  close(): Promise<void>
}

/**
 * Serves `control` over HTTP at a socket that only its owner may open. Replaces a socket that a killed daemon left
 * behind. Throws `DataDirInUseError` if another daemon responds at the socket.
 */
export async function startControlServer(
  socket: string,
  dataDir: string,
  control: Control,
  logger: Logger,
): Promise<ControlServer> {
  await clearSocket(socket, dataDir)
  const server = createServer((request, response) => {
    respond(control, request, response).catch((error: unknown) => {
      logger.warn({ err: error }, 'A command could not be served')
      response.destroy()
    })
  })
  await listen(server, socket)
  return { close: () => close(server) }
}

async function clearSocket(socket: string, dataDir: string): Promise<void> {
  if (Buffer.byteLength(socket) > MAX_PATH_LENGTH) {
    throw new ControlSocketError(
      `The path of the control socket is too long: ${socket}. Set control_socket to a path of up to ${MAX_PATH_LENGTH} bytes`,
    )
  }
  // This process holds the lock of the directory. So a daemon that responds runs in another container, where the
  // lock has no effect.
  if (await hasResponse(socket)) throw new DataDirInUseError(dataDir)
  await mkdir(dirname(socket), { recursive: true, mode: 0o700 })
  await rm(socket, { force: true })
}

async function hasResponse(socket: string): Promise<boolean> {
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
  // The umask keeps other users from opening the socket from the start. The socket is created during this call,
  // although its outcome is reported later.
  const mask = process.umask(0o177)
  server.listen(socket)
  process.umask(mask)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw new ControlSocketError(`The control socket ${socket} cannot be created: ${messageOf(error)}`, {
      cause: error,
    })
  }
}

async function close(server: Server): Promise<void> {
  server.close()
  server.closeIdleConnections()
  await once(server, 'close')
}

async function respond(control: Control, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    await route(control, request, response)
  } catch (error) {
    if (!(error instanceof SwitchyardError)) throw error
    send(response, error instanceof ControlResponseError ? 409 : 500, { error: error.message })
  }
}

async function route(control: Control, request: IncomingMessage, response: ServerResponse): Promise<void> {
  // Otherwise an idle connection would keep the server from closing.
  response.setHeader('connection', 'close')
  const command = `${request.method} ${request.url}`
  if (command === 'POST /drain') {
    await stream(response, control.drain())
    return
  }
  const body = await perform(control, command, request)
  if (body) send(response, 200, body)
  else send(response, 404, { error: `Unknown command: ${command}` })
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
    case 'GET /holds':
      return control.holds()
    case 'POST /holds/end':
      return await control.endHold(await holdIn(request))
    case 'POST /holds/extend':
      return await control.extendHold(await holdIn(request))
    case 'POST /pause':
      return await control.pause(await namedIn(request))
    case 'POST /resume':
      return await control.resume(await namedIn(request))
    default:
      return undefined
  }
}

async function namedIn(request: IncomingMessage): Promise<string | undefined> {
  const { runner } = (await bodyOf(request)) as PauseRequest
  return typeof runner === 'string' ? runner : undefined
}

async function holdIn(request: IncomingMessage): Promise<HoldRequest> {
  const { job, runner, seconds } = (await bodyOf(request)) as Partial<HoldRequest>
  if (!Number.isInteger(job)) throw new ControlResponseError('The ID of the job is missing')
  return {
    job: Number(job),
    ...(typeof runner === 'string' ? { runner } : {}),
    ...(typeof seconds === 'number' && seconds > 0 ? { seconds } : {}),
  }
}

async function bodyOf(request: IncomingMessage): Promise<object> {
  try {
    const body = await readAtMost(request, MAX_BODY_BYTES)
    const parsed: unknown = JSON.parse(body.toString('utf8'))
    return isRecord(parsed) ? parsed : {}
  } catch (error) {
    throw new ControlResponseError('The body is not JSON', { cause: error })
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** Writes each message as a line of JSON. The requested operation continues even if the client disconnects. */
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
