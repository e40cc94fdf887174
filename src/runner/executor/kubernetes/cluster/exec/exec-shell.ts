import { Writable } from 'node:stream'

import type { RawData, WebSocket } from 'ws'

import { deferred } from '../../../../../lib/deferred.js'
import { messageOf } from '../../../../../lib/errors.js'
import type { Shell, TerminalSize } from '../../../executor.js'
import { ClusterError, type ClusterShell } from '../cluster.js'
import { CHANNEL, CLOSING_PROTOCOL, type CommandEnd, readCommandEnd } from './channels.js'
import { Heartbeat, type HeartbeatTimes } from './heartbeat.js'

/** Bytes of output that wait for the reader. */
const MAX_WAITING = 256 * 1024
/** Bytes of input in a message, so that pings are not held up by long ones. */
const MAX_MESSAGE = 64 * 1024

type Output = { channel: 'stdout' | 'stderr'; bytes: Buffer }

export interface ExecShellParts {
  /** Open and paused. */
  socket: WebSocket
  /** What the command runs in, for messages. */
  place: string
  server: URL
  heartbeat: HeartbeatTimes
  signal: AbortSignal
}

/** A command in a container. It is not ended with its connection: Kubernetes has no call for that. */
export class ExecShell implements ClusterShell {
  readonly input: Writable
  readonly passesEndOfInput: boolean
  private readonly waiting: Output[] = []
  private waitingBytes = 0
  private end: CommandEnd | undefined
  private problem: string | undefined
  private readonly closed = deferred()
  private isClosed = false
  private wake = deferred()
  private readonly heartbeat: Heartbeat

  constructor(private readonly parts: ExecShellParts) {
    const { socket, signal } = parts
    this.passesEndOfInput = socket.protocol === CLOSING_PROTOCOL
    this.input = this.createInput()
    this.heartbeat = new Heartbeat(parts.heartbeat, {
      ping: () => {
        if (socket.readyState === socket.OPEN) socket.ping()
      },
      dead: (problem) => {
        this.problem = problem
        socket.terminate()
      },
    })
    socket.on('pong', () => this.heartbeat.pong())
    const onAbort = () => socket.terminate()
    signal.addEventListener('abort', onAbort, { once: true })
    socket.on('message', (data) => this.receive(data))
    socket.on('error', (error) => (this.problem ??= messageOf(error)))
    socket.once('close', () => {
      signal.removeEventListener('abort', onAbort)
      this.finish()
    })
    if (signal.aborted) onAbort()
    socket.resume()
  }

  get output(): Shell['output'] {
    return this.read()
  }

  async resize({ columns, rows }: TerminalSize): Promise<void> {
    await this.send(CHANNEL.resize, Buffer.from(JSON.stringify({ Width: columns, Height: rows }))).catch(
      () => {
        // The connection has ended, as the exit code says.
      },
    )
  }

  async exitCode(): Promise<number> {
    await this.closed.promise
    const { end } = this
    if (end && 'exitCode' in end) return end.exitCode
    if (end) throw end.error
    this.parts.signal.throwIfAborted()
    throw this.lost()
  }

  private lost(): ClusterError {
    const { place, server } = this.parts
    const cause = this.problem === undefined ? '' : `: ${this.problem}`
    const message = `The connection to a command in ${place} through the API server at ${server.origin} ended before the command${cause}`
    return new ClusterError(message, undefined, undefined)
  }

  private receive(data: RawData): void {
    const message = Buffer.isBuffer(data)
      ? data
      : Array.isArray(data)
        ? Buffer.concat(data)
        : Buffer.from(data)
    this.heartbeat.heard()
    const [channel] = message
    const bytes = message.subarray(1)
    // The first message of a connection is an empty one.
    if (bytes.length === 0) return
    if (channel === CHANNEL.status) this.end = readCommandEnd(bytes, this.parts.server)
    else if (channel === CHANNEL.stdout) this.push({ channel: 'stdout', bytes })
    else if (channel === CHANNEL.stderr) this.push({ channel: 'stderr', bytes })
  }

  private push(output: Output): void {
    this.waiting.push(output)
    this.waitingBytes += output.bytes.length
    if (this.waitingBytes > MAX_WAITING && !this.parts.socket.isPaused) {
      this.parts.socket.pause()
      this.heartbeat.suspend()
    }
    this.wake.resolve()
  }

  private async *read(): AsyncGenerator<Output> {
    const { socket } = this.parts
    try {
      for (;;) {
        const next = this.waiting.shift()
        if (next) {
          this.waitingBytes -= next.bytes.length
          yield next
        } else if (this.isClosed) return
        else {
          if (socket.isPaused) {
            socket.resume()
            this.heartbeat.resume()
          }
          this.wake = deferred()
          await this.wake.promise
        }
      }
    } finally {
      socket.terminate()
    }
  }

  private finish(): void {
    this.isClosed = true
    this.heartbeat.stop()
    this.input.destroy()
    this.closed.resolve()
    this.wake.resolve()
  }

  private createInput(): Writable {
    const input = new Writable({
      write: (chunk: Buffer, _encoding, callback) => {
        this.sendInput(chunk).then(() => callback(), callback)
      },
      final: (callback) => {
        this.endInput().then(() => callback(), callback)
      },
    })
    // That the connection is lost, the output and the exit code say.
    input.on('error', () => undefined)
    return input
  }

  private async sendInput(chunk: Buffer): Promise<void> {
    for (let start = 0; start < chunk.length; start += MAX_MESSAGE) {
      const part = chunk.subarray(start, start + MAX_MESSAGE)
      this.heartbeat.wrote(part.length)
      await this.send(CHANNEL.stdin, part)
    }
  }

  private async endInput(): Promise<void> {
    if (this.passesEndOfInput) await this.send(CHANNEL.close, Buffer.of(CHANNEL.stdin))
  }

  /** Resolves when the system has accepted the bytes, so that a slow command slows its writer down. */
  private async send(channel: number, bytes: Buffer): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.parts.socket.send(Buffer.concat([Buffer.of(channel), bytes]), { binary: true }, (error) =>
        error ? reject(this.lost()) : resolve(),
      )
    })
  }
}
