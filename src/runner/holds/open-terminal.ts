import type { WebSocket } from 'ws'

import { messageOf } from '../../lib/errors.js'
import { isRecord } from '../../lib/is-record.js'
import type { Logger } from '../../lib/logger.js'
import { CHANNELS, type PersonMessage, type RunnerMessage } from '../../protocol/terminal.js'
import type { WantedTerminal } from '../../protocol/wanted-terminal.js'
import type { HoldClient } from '../client/coordinator-client.js'
import type { EnvironmentInterior, Shell } from '../executor/executor.js'
import { ENTER_SCRIPT } from './hold-script.js'

export interface TerminalDeps {
  client: Pick<HoldClient, 'openTerminalSocket'>
  /** Of the hold, or of the running job. */
  token: { hold: string } | { job: string }
  /** Undefined while there is no container, or if the executor opens no shells. */
  interior: EnvironmentInterior | undefined
  /** Aborts when the hold ends, or the scripts of the job are over. */
  signal: AbortSignal
  /** Why `signal` has aborted, for the person. */
  endReason: () => string
  logger: Logger
}

/** Output that a socket has not sent yet, in bytes, above which the command is not read. */
const MAX_BUFFERED = 1024 * 1024
const NORMAL = 1000
const NO_CONTAINER = 'The container of the job does not run yet: try again when its script runs.'

/**
 * Opens a shell in a job and connects it to the coordinator, until the command or the connection ends. Does not
 * throw: the person gets the reason.
 */
export async function openTerminal(deps: TerminalDeps, wanted: WantedTerminal): Promise<void> {
  const { client, token, interior, signal, endReason, logger } = deps
  const gone = new AbortController()
  try {
    const socket = await client.openTerminalSocket(wanted.id, token)
    socket.on('error', (error) => logger.debug({ err: error }, 'The socket of a terminal failed'))
    socket.on('close', () => gone.abort())
    try {
      if (!interior) throw new Error(NO_CONTAINER)
      const { command, columns, rows } = wanted
      const shell = await interior.shell(
        {
          command: ['sh', '-c', ENTER_SCRIPT, 'sh', ...command],
          size: columns > 0 && rows > 0 ? { columns, rows } : undefined,
        },
        AbortSignal.any([signal, gone.signal]),
      )
      await connect(socket, shell, logger)
      tell(
        socket,
        signal.aborted
          ? { kind: 'error', message: endReason() }
          : { kind: 'exit', code: await shell.exitCode() },
      )
    } catch (error) {
      tell(socket, { kind: 'error', message: signal.aborted ? endReason() : messageOf(error) })
    }
    socket.close(NORMAL)
  } catch (error) {
    logger.warn({ error: messageOf(error) }, 'A terminal could not be opened')
  }
}

/** Ends with the output of the command. */
async function connect(socket: WebSocket, shell: Shell, logger: Logger): Promise<void> {
  const problem = (error: unknown) => logger.debug({ err: error }, 'A shell takes no more input')
  shell.input.on('error', problem)
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (!isBinary) {
      obey(shell, data.toString('utf8')).catch(problem)
      return
    }
    if (data[0] !== CHANNELS.stdin || !shell.input.writable) return
    // A command that reads slowly slows the person down.
    if (!shell.input.write(data.subarray(1))) {
      socket.pause()
      shell.input.once('drain', () => socket.resume())
    }
  })
  socket.resume()
  for await (const { channel, bytes } of shell.output) {
    if (socket.readyState !== socket.OPEN) break
    const sent = new Promise<void>((resolve) =>
      socket.send(Buffer.concat([Buffer.of(CHANNELS[channel]), bytes]), () => resolve()),
    )
    if (socket.bufferedAmount > MAX_BUFFERED) await sent
  }
}

async function obey(shell: Shell, text: string): Promise<void> {
  const message = JSON.parse(text) as PersonMessage
  if (!isRecord(message)) return
  if (message.kind === 'end') shell.input.end()
  if (message.kind === 'resize' && isSize(message.columns) && isSize(message.rows))
    await shell.resize({ columns: message.columns, rows: message.rows })
}

function isSize(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 1000
}

function tell(socket: WebSocket, message: RunnerMessage): void {
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message))
}
