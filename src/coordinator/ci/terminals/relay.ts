import type { WebSocket } from 'ws'

import { type Deferred, deferred } from '../../../lib/deferred.js'
import type { Logger } from '../../../lib/logger.js'
import { MINUTE, SECOND } from '../../../lib/time-units.js'
import type { CoordinatorMessage } from '../../../protocol/terminal.js'
import type { Side, TerminalNews } from '../signals/terminal-news.js'
import { IdleLimit } from './idle-limit.js'
import type { TerminalCodec } from './terminal-codec.js'

export interface RelayDeps {
  /** Sends to the other coordinators; absent if there are none. */
  send?: ((news: TerminalNews) => Promise<void>) | undefined
  /** Called when a side has gone. */
  onEnd: (id: string) => void
  logger: Logger
  /** Replaces some of the times, for tests. */
  times?: Partial<RelayTimes>
}

/** Milliseconds. */
interface RelayTimes {
  /** How long one side waits for the other. */
  patience: number
  /** Between two signs of life of a socket. */
  heartbeat: number
  /** Between two signs of life of a side at another coordinator. */
  peerHeartbeat: number
  /** Without keys and output, a terminal ends after this. */
  idle: number
  /** The person is warned this long before. */
  warning: number
}

const TIMES: RelayTimes = {
  patience: 35 * SECOND,
  heartbeat: 25 * SECOND,
  peerHeartbeat: 5 * SECOND,
  idle: 10 * MINUTE,
  warning: MINUTE,
}

/** A message between coordinators is limited to 8000 bytes, with its base64 and its JSON. */
const PIECE = 5000
/**
 * Signs of life that may be missing before the other coordinator counts as lost, within 20 seconds. The two coordinators of
 * a terminal send 24 short notifications in a minute for it, and all coordinators on the store receive them.
 */
const MAX_MISSING = 3
/** Bytes from another coordinator that a socket may have waiting. */
const MAX_BUFFERED = 8 * 1024 * 1024
const NORMAL = 1000
const TRY_AGAIN = 1013

interface JoinOptions {
  /** Whether it ends when nothing is typed and printed; for the side of the person. */
  endsWhenIdle?: boolean
  /** For a runner whose messages are others. */
  codec?: TerminalCodec
}

interface End {
  socket: WebSocket
  codec: TerminalCodec | undefined
  /** Whether the connection has failed. */
  isLost: boolean
  /** Resolves when the other side is there, or will not come. */
  met: Deferred<void>
  /** Resolves when all messages so far were passed on. */
  passed: Promise<void>
  timer: NodeJS.Timeout
  heartbeat: NodeJS.Timeout
  /** The other side at another coordinator: when it was last received. Undefined if it is here. */
  peer: { receivedAt: number; heartbeat: NodeJS.Timeout } | undefined
  idle: IdleLimit | undefined
}

/** A side that was here. */
interface LeftSide {
  reason: string
  forget: NodeJS.Timeout
}

/**
 * Passes on what the two sides of a terminal send, and keeps nothing. A side reads no more until the message before was
 * passed on, so that memory is bounded, and the first one is not passed on before the other side is there:
 *
 *     socket ─▶ waits ── the other side joins, here or at another coordinator ─▶ messages one by one ─▶ other socket
 *                 │                                                                  │
 *                 └── nobody joins ─▶ closed ◀── the other side leaves, its coordinator is lost, or nothing happens
 */
export class TerminalRelay {
  private readonly ends = new Map<string, End>()
  /** Sides that left a moment ago. What another coordinator still sends them is refused with the reason. */
  private readonly gone = new Map<string, LeftSide>()
  private readonly times: RelayTimes

  constructor(private readonly deps: RelayDeps) {
    this.times = { ...TIMES, ...deps.times }
  }

  /** One side of a terminal has connected. The caller has checked that it may. */
  join(id: string, side: Side, socket: WebSocket, { endsWhenIdle = false, codec }: JoinOptions = {}): void {
    const key = keyOf(id, side)
    const { patience, heartbeat: interval } = this.times
    const met = deferred()
    const end: End = {
      socket,
      codec,
      isLost: false,
      met,
      passed: met.promise,
      timer: setTimeout(() => socket.close(TRY_AGAIN, 'The other side did not connect'), patience),
      heartbeat: setInterval(() => checkLife(end), interval),
      peer: undefined,
      idle: endsWhenIdle ? this.idleLimit(socket) : undefined,
    }
    this.ends.set(key, end)
    socket.on('pong', () => responsive.add(socket))
    responsive.add(socket)
    socket.on('message', (data: Buffer, isBinary: boolean) => this.pass(id, side, end, data, isBinary))
    socket.on('error', (error) => {
      end.isLost = true
      this.deps.logger.debug({ err: error }, 'The socket of a terminal failed')
    })
    socket.on('close', (_code: number, reason: Buffer) => this.left(id, side, end, reason.toString()))
    const other = this.ends.get(keyOf(id, otherOf(side)))
    const left = this.gone.get(keyOf(id, otherOf(side)))
    if (other) {
      this.meet(end)
      this.meet(other)
    } else if (left) close(end, NORMAL, left.reason)
    else this.tell({ id, to: otherOf(side), kind: 'join' })
  }

  /** Another coordinator has the other side of a terminal. */
  receive({ id, to, kind, content = '' }: TerminalNews): void {
    const end = this.ends.get(keyOf(id, to))
    if (!end) {
      const left = this.gone.get(keyOf(id, to))
      if (left && kind !== 'close') this.tell({ id, to: otherOf(to), kind: 'close', content: left.reason })
      return
    }
    if (end.socket.bufferedAmount > MAX_BUFFERED) {
      end.socket.close(TRY_AGAIN, 'The output is read too slowly')
      return
    }
    this.hasReceived(id, to, end)
    switch (kind) {
      case 'join':
        this.meet(end)
        this.tell({ id, to: otherOf(to), kind: 'joined' })
        return
      case 'joined':
        this.meet(end)
        return
      case 'alive':
        return
      case 'data':
        end.idle?.active()
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
    for (const end of this.ends.values()) close(end, TRY_AGAIN, 'The coordinator stops')
    for (const { forget } of this.gone.values()) clearTimeout(forget)
    this.gone.clear()
  }

  private idleLimit(socket: WebSocket): IdleLimit {
    const { idle, warning } = this.times
    return new IdleLimit(idle, warning, {
      onWarning: () => warn(socket, `Nothing was typed or printed: the shell ends in ${words(warning)}`),
      onEnd: () => socket.close(NORMAL, `Nothing was typed or printed for ${words(idle)}`),
    })
  }

  private meet(end: End): void {
    clearTimeout(end.timer)
    end.met.resolve()
  }

  private hasReceived(id: string, side: Side, end: End): void {
    end.peer ??= {
      receivedAt: 0,
      heartbeat: setInterval(() => this.checkPeer(id, side, end), this.times.peerHeartbeat),
    }
    end.peer.receivedAt = performance.now()
  }

  /** Ends the terminal if the coordinator of the other side was killed. */
  private checkPeer(id: string, side: Side, { socket, peer }: End): void {
    this.tell({ id, to: otherOf(side), kind: 'alive' })
    if (peer && performance.now() - peer.receivedAt > MAX_MISSING * this.times.peerHeartbeat)
      socket.close(TRY_AGAIN, 'The connection between the coordinators was lost')
  }

  private pass(id: string, side: Side, end: End, data: Buffer, isBinary: boolean): void {
    end.socket.pause()
    if (isBinary) end.idle?.active()
    const { codec } = end
    end.passed = end.passed
      .then(() =>
        codec
          ? this.forward(id, otherOf(side), codec.decode(data), true)
          : this.forward(id, otherOf(side), data, isBinary),
      )
      .catch((error: unknown) => {
        this.deps.logger.warn({ err: error }, 'A terminal is closed, because its data cannot be passed on')
        end.socket.close(TRY_AGAIN, 'The connection between the coordinators failed')
      })
      .then(() => end.socket.resume())
  }

  private async forward(id: string, to: Side, data: Buffer, isBinary: boolean): Promise<void> {
    const local = this.ends.get(keyOf(id, to))
    if (local) {
      if (isBinary) local.idle?.active()
      await write(local, data, isBinary)
      return
    }
    if (this.gone.has(keyOf(id, to))) return
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
    clearInterval(end.peer?.heartbeat)
    end.idle?.stop()
    this.ends.delete(keyOf(id, side))
    this.remember(keyOf(id, side), reason)
    end.met.resolve()
    void end.passed.then(() => {
      const other = this.ends.get(keyOf(id, otherOf(side)))
      if (other) {
        if (end.codec) other.socket.send(JSON.stringify(end.codec.ended(end.isLost)))
        close(other, NORMAL, reason)
      } else this.tell({ id, to: otherOf(side), kind: 'close', content: reason })
      this.deps.onEnd(id)
    })
  }

  /** For as long as the other side may still connect, or has not received that this one has left. */
  private remember(key: string, reason: string): void {
    const forget = setTimeout(() => this.gone.delete(key), this.times.patience)
    forget.unref()
    this.gone.set(key, { reason: reason || 'The other side has left', forget })
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

/** Sockets that have responded since the last sign of life was asked for. */
const responsive = new WeakSet<WebSocket>()

/** Resolves when the message was handed to the socket. */
async function write({ socket, codec }: End, data: Buffer, isBinary: boolean): Promise<void> {
  const messages = codec ? codec.encode(data, isBinary) : [data]
  for (const message of messages)
    await new Promise<void>((resolve, reject) =>
      socket.send(message, { binary: isBinary }, (error) => (error ? reject(error) : resolve())),
    )
}

function close({ socket, codec }: End, code: number, reason: string): void {
  if (codec && socket.readyState === socket.OPEN) socket.send(codec.farewell)
  socket.close(code, reason)
}

/** Ends a socket that does not respond. */
function checkLife(end: End): void {
  const { socket } = end
  // The reply of a socket that is not read now is not read either.
  if (!responsive.has(socket) && !socket.isPaused) {
    end.isLost = true
    socket.terminate()
  }
  if (!socket.isPaused) responsive.delete(socket)
  socket.ping()
}

function warn(socket: WebSocket, message: string): void {
  const warning: CoordinatorMessage = { kind: 'warning', message }
  socket.send(JSON.stringify(warning))
}

function words(milliseconds: number): string {
  const minutes = Math.round(milliseconds / MINUTE)
  return minutes === 1 ? '1 minute' : `${minutes} minutes`
}

function keyOf(id: string, side: Side): string {
  return `${id} ${side}`
}

function otherOf(side: Side): Side {
  return side === 'person' ? 'runner' : 'person'
}
