import { once } from 'node:events'
import type { ReadStream, WriteStream } from 'node:tty'

import { WebSocket } from 'ws'

import { isRecord } from '../../../lib/is-record.js'
import { CHANNELS, type PersonMessage, TERMINAL_PROTOCOL } from '../../../protocol/terminal.js'
import { jobInUrl } from '../../job-in-url.js'
import { LineEscape } from './line-escape.js'
import { ShellError } from './shell-error.js'

/** Bytes of one message. The server refuses longer ones. */
const MAX_MESSAGE = 64 * 1024
const NORMAL = 1000

export interface ShellOptions {
  token?: string
  stdin?: boolean
}

/** Where the shell reads and prints. */
export interface ShellStreams {
  stdin: NodeJS.ReadableStream
  stdout: NodeJS.WritableStream
  stderr: NodeJS.WritableStream
}

/** Returns the exit code of the command. Throws `ShellError` if there is none. */
export async function openShell(
  address: string,
  command: string[],
  { token = process.env['SWITCHYARD_TOKEN'] ?? '', stdin: passesInput = false }: ShellOptions,
  streams: ShellStreams = process,
): Promise<number> {
  const { server, project, jobId } = jobInUrl(address)
  if (token === '') throw new ShellError('A token is missing: give it with --token or SWITCHYARD_TOKEN')
  const terminal = command.length === 0 ? terminalOf(streams) : undefined
  if (command.length === 0 && !terminal)
    throw new ShellError(
      'A shell needs a terminal. Name a command after --, such as `-- sh -s` with --stdin.',
    )
  const ticket = await requestTicket(server, project, jobId, token, { command, ...sizeOf(terminal?.output) })
  const socket = new WebSocket(new URL(ticket.url, server).href.replace(/^http/, 'ws'), [
    TERMINAL_PROTOCOL,
    `ticket.${ticket.ticket}`,
  ])
  // Not later: a message may arrive together with the response.
  socket.once('open', () => socket.pause())
  try {
    await once(socket, 'open')
  } catch (error) {
    throw new ShellError(
      'The server refused the connection. A proxy in front of it must pass on WebSockets.',
      {
        cause: error,
      },
    )
  }
  const restore = terminal ? enterTerminal(socket, terminal) : () => {}
  try {
    if (!terminal && passesInput) passInput(socket, streams.stdin)
    else if (!terminal) send(socket, { kind: 'end' })
    return await untilExit(socket, streams)
  } finally {
    restore()
    // An input that is still open would keep the process.
    if (passesInput) streams.stdin.pause()
    socket.terminate()
  }
}

interface Terminal {
  input: ReadStream
  output: WriteStream
}

function terminalOf({ stdin, stdout }: ShellStreams): Terminal | undefined {
  const [input, output] = [stdin as ReadStream, stdout as WriteStream]
  return input.isTTY && output.isTTY ? { input, output } : undefined
}

function sizeOf(output: WriteStream | undefined): { columns?: number; rows?: number } {
  return output ? { columns: Math.max(1, output.columns), rows: Math.max(1, output.rows) } : {}
}

async function requestTicket(
  server: URL,
  project: string,
  jobId: number,
  token: string,
  wanted: { command: string[]; columns?: number; rows?: number },
): Promise<{ ticket: string; url: string }> {
  const { command, ...size } = wanted
  const path = `/api/v4/projects/${encodeURIComponent(project)}/jobs/${jobId}/terminal`
  const body = { ...size, ...(command.length > 0 ? { command } : {}) }
  const response = await fetch(new URL(path, server), {
    method: 'POST',
    headers: { 'private-token': token, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch((error: unknown) => {
    throw new ShellError(`${server.origin} cannot be reached`, { cause: error })
  })
  const result: unknown = await response.json().catch(() => undefined)
  if (response.status === 201 && isRecord(result))
    return { ticket: String(result['ticket']), url: String(result['url']) }
  const reason = isRecord(result) ? (result['message'] ?? result['error']) : undefined
  if (response.status === 404)
    throw new ShellError(`There is no job ${jobId} in ${project}, or you may not see it`)
  if (response.status === 409 && String(reason).includes('is not held'))
    throw new ShellError(
      `The job ${jobId} of ${project} has ended and is not held. Retry it with SWITCHYARD_HOLD=failure.`,
    )
  throw new ShellError(typeof reason === 'string' ? reason : `The server responded with ${response.status}`)
}

/** Keys go to the shell, Ctrl-C too; `~.` leaves it. Returns a function that restores the terminal. */
function enterTerminal(socket: WebSocket, { input, output }: Terminal): () => void {
  const escape = new LineEscape()
  const onData = (bytes: Buffer) => {
    const { passed, leaves } = escape.take(bytes)
    sendInput(socket, passed)
    if (leaves) socket.close(NORMAL, 'Left with ~.')
  }
  const onResize = () => send(socket, { kind: 'resize', columns: output.columns, rows: output.rows })
  input.setRawMode(true)
  input.on('data', onData)
  input.resume()
  output.on('resize', onResize)
  return () => {
    output.off('resize', onResize)
    input.off('data', onData)
    input.setRawMode(false)
    input.pause()
  }
}

function passInput(socket: WebSocket, input: NodeJS.ReadableStream): void {
  input.on('data', (bytes: Buffer) => {
    input.pause()
    sendInput(socket, bytes, () => input.resume())
  })
  input.on('end', () => send(socket, { kind: 'end' }))
}

/** Calls `onSent` when all bytes are on their way. */
function sendInput(socket: WebSocket, bytes: Buffer, onSent: () => void = () => {}): void {
  for (let at = 0; at < bytes.length; at += MAX_MESSAGE) {
    const message = Buffer.concat([Buffer.of(CHANNELS.stdin), bytes.subarray(at, at + MAX_MESSAGE)])
    if (socket.readyState === socket.OPEN)
      socket.send(message, at + MAX_MESSAGE >= bytes.length ? onSent : undefined)
  }
}

function send(socket: WebSocket, message: PersonMessage): void {
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message))
}

async function untilExit(socket: WebSocket, { stdout, stderr }: ShellStreams): Promise<number> {
  return await new Promise<number>((resolve, reject) => {
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (isBinary) {
        const output = data[0] === CHANNELS.stderr ? stderr : stdout
        if (!output.write(data.subarray(1))) {
          socket.pause()
          output.once('drain', () => socket.resume())
        }
        return
      }
      const message: unknown = JSON.parse(data.toString('utf8'))
      if (!isRecord(message)) return
      if (message['kind'] === 'exit') resolve(Number(message['code']))
      if (message['kind'] === 'error') reject(new ShellError(String(message['message'])))
      // The cursor may be anywhere in a line.
      if (message['kind'] === 'warning') stderr.write(`\r\nswitchyard: ${String(message['message'])}\r\n`)
    })
    socket.on('error', (error) => reject(new ShellError(`The connection failed: ${error.message}`)))
    socket.resume()
    socket.on('close', (code: number, reason: Buffer) =>
      reject(new ShellError(endOf(code, reason.toString()))),
    )
  })
}

/** Close codes without a close frame, and of a server that may take another connection (RFC 6455, 7.4.1 and 11.7). */
const ABNORMAL = 1006
const TRY_AGAIN = 1013

/** Why a shell has ended, and what to do if the shell itself is not the reason. */
function endOf(code: number, reason: string): string {
  const remedy = 'Run the command again to open another shell.'
  if (code === ABNORMAL) return `The connection to the server was lost. ${remedy}`
  const shown = reason || 'The connection to the job has ended'
  return code === TRY_AGAIN ? `${shown}. ${remedy}` : shown
}
