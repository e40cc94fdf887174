import type { WebSocket } from 'ws'

import type { Logger } from '../../../lib/logger.js'
import type { Side, TerminalNews } from '../signals/terminal-news.js'

export interface RelayDeps {
  /** Sends to the other coordinators; absent if there are none. */
  send?: ((news: TerminalNews) => Promise<void>) | undefined
  /** Called when a side has gone. */
  onEnd: (id: string) => void
  logger: Logger
}

/** A message between coordinators is limited to 8000 bytes, with its base64 and its JSON. */
const PIECE = 5000
/** Milliseconds that one side waits for the other. */
const PATIENCE = 35_000
/** Between two signs of life of a socket, in milliseconds. */
const HEARTBEAT = 25_000
/** Bytes from another coordinator that a socket may have waiting. */
const MAX_BUFFERED = 8 * 1024 * 1024
const NORMAL = 1000
const TRY_AGAIN = 1013

interface End {
  socket: WebSocket
  /** Resolves when all messages so far were passed on. */
  passed: Promise<void>
  isMet: boolean
  timer: NodeJS.Timeout
  heartbeat: NodeJS.Timeout
}

/**
 * Passes on what the two sides of a terminal send, and keeps nothing. A side reads no more until the message before was
 * passed on, so that memory is bounded, and does not read before the other side is there:
 *
 *     socket ─▶ paused ── the other side joins, here or at another coordinator ─▶ messages one by one ─▶ other socket
 */
export class TerminalRelay {
  private readonly ends = new Map<string, End>()

  constructor(private readonly deps: RelayDeps) {}

  /** One side of a terminal has connected. The caller has checked that it may. */
  join(id: string, side: Side, socket: WebSocket): void {
    const key = keyOf(id, side)
    const timer = setTimeout(() => socket.close(TRY_AGAIN, 'The other side did not connect'), PATIENCE)
    let isAlive = true
    socket.on('pong', () => (isAlive = true))
    const heartbeat = setInterval(() => {
      // The answer of a socket that is not read now is not read either.
      if (!isAlive && !socket.isPaused) socket.terminate()
      isAlive = socket.isPaused
      socket.ping()
    }, HEARTBEAT)
    const end: End = { socket, passed: Promise.resolve(), isMet: false, timer, heartbeat }
    this.ends.set(key, end)
    socket.pause()
    socket.on('message', (data: Buffer, isBinary: boolean) => this.pass(id, side, end, data, isBinary))
    socket.on('error', (error) => this.deps.logger.debug({ err: error }, 'The socket of a terminal failed'))
    socket.on('close', (_code: number, reason: Buffer) => this.left(id, side, end, reason.toString()))
    const other = this.ends.get(keyOf(id, otherOf(side)))
    if (other) {
      this.meet(end)
      this.meet(other)
    } else this.tell({ id, to: otherOf(side), kind: 'join' })
  }

  /** Another coordinator has the other side of a terminal. */
  receive({ id, to, kind, content = '' }: TerminalNews): void {
    const end = this.ends.get(keyOf(id, to))
    if (!end) return
    if (end.socket.bufferedAmount > MAX_BUFFERED) {
      end.socket.close(TRY_AGAIN, 'The output is read too slowly')
      return
    }
    switch (kind) {
      case 'join':
        this.meet(end)
        this.tell({ id, to: otherOf(to), kind: 'joined' })
        return
      case 'joined':
        this.meet(end)
        return
      case 'data':
        end.socket.send(Buffer.from(content, 'base64'))
        return
      case 'text':
        end.socket.send(content)
        return
      case 'close':
        end.socket.close(NORMAL, content)
    }
  }

  /** Closes all terminals. */
  stop(): void {
    for (const { socket } of this.ends.values()) socket.close(TRY_AGAIN, 'The coordinator stops')
  }

  private meet(end: End): void {
    if (end.isMet) return
    end.isMet = true
    clearTimeout(end.timer)
    end.socket.resume()
  }

  private pass(id: string, side: Side, end: End, data: Buffer, isBinary: boolean): void {
    end.socket.pause()
    end.passed = end.passed
      .then(() => this.forward(id, otherOf(side), data, isBinary))
      .catch((error: unknown) => {
        this.deps.logger.warn({ err: error }, 'A terminal is closed, because its data cannot be passed on')
        end.socket.close(TRY_AGAIN, 'The connection between the coordinators failed')
      })
      .then(() => end.socket.resume())
  }

  private async forward(id: string, to: Side, data: Buffer, isBinary: boolean): Promise<void> {
    const local = this.ends.get(keyOf(id, to))
    if (local) {
      await new Promise<void>((resolve, reject) =>
        local.socket.send(data, { binary: isBinary }, (error) => (error ? reject(error) : resolve())),
      )
      return
    }
    if (!isBinary) {
      await this.deps.send?.({ id, to, kind: 'text', content: data.toString('utf8') })
      return
    }
    // The first byte of a message names its channel.
    const channel = data.subarray(0, 1)
    for (let at = 1; at < data.length; at += PIECE) {
      const content = Buffer.concat([channel, data.subarray(at, at + PIECE)]).toString('base64')
      await this.deps.send?.({ id, to, kind: 'data', content })
    }
  }

  private left(id: string, side: Side, end: End, reason: string): void {
    clearTimeout(end.timer)
    clearInterval(end.heartbeat)
    this.ends.delete(keyOf(id, side))
    void end.passed.then(() => {
      const other = this.ends.get(keyOf(id, otherOf(side)))
      if (other) other.socket.close(NORMAL, reason)
      else this.tell({ id, to: otherOf(side), kind: 'close', content: reason })
      this.deps.onEnd(id)
    })
  }

  private tell(news: TerminalNews): void {
    this.deps.send?.(news).catch((error: unknown) => {
      this.deps.logger.warn(
        { err: error },
        'A message about a terminal could not be sent to the other coordinators',
      )
    })
  }
}

function keyOf(id: string, side: Side): string {
  return `${id} ${side}`
}

function otherOf(side: Side): Side {
  return side === 'person' ? 'runner' : 'person'
}
