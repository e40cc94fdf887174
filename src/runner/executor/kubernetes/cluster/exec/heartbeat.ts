import type { WebSocket } from 'ws'

import { MINUTE, SECOND } from '../../../../../lib/time-units.js'

export interface HeartbeatTimes {
  /** Milliseconds between two pings, so that no proxy ends an idle connection. */
  interval: number
  /** Milliseconds without a byte from the peer after which it is taken for dead. */
  silence: number
  /** The same, if the peer may be waiting for the command to read its input, and reads no pings for that long. */
  silenceAfterInput: number
}

export const HEARTBEAT: HeartbeatTimes = {
  interval: 20 * SECOND,
  silence: 65 * SECOND,
  silenceAfterInput: 10 * MINUTE,
}

/** Bytes that a pipe takes although nobody reads it. */
const PIPE_BYTES = 64 * 1024

/** Pings the peer of a WebSocket, and reports a dead one. */
export class Heartbeat {
  private readonly timer: NodeJS.Timeout
  private lastHeard = performance.now()
  private written = 0
  private isSuspended = false

  constructor(
    private readonly socket: WebSocket,
    private readonly times: HeartbeatTimes,
    private readonly dead: (problem: string) => void,
  ) {
    this.timer = setInterval(() => this.beat(), times.interval)
    socket.on('pong', () => {
      this.written = 0
      this.heard()
    })
  }

  /** Must be called for each message of the peer. */
  heard(): void {
    this.lastHeard = performance.now()
  }

  /** Must be called for input of the command. */
  wrote(bytes: number): void {
    this.written += bytes
  }

  /** Nothing is read from now on, so nothing can be heard. */
  suspend(): void {
    this.isSuspended = true
  }

  resume(): void {
    this.isSuspended = false
    this.heard()
  }

  stop(): void {
    clearInterval(this.timer)
  }

  private beat(): void {
    const { silence, silenceAfterInput } = this.times
    const limit = this.written > PIPE_BYTES ? silenceAfterInput : silence
    if (!this.isSuspended && performance.now() - this.lastHeard > limit) {
      this.dead(`nothing was received for ${Math.round(limit / SECOND)} seconds`)
    } else if (this.socket.readyState === this.socket.OPEN) this.socket.ping()
  }
}
