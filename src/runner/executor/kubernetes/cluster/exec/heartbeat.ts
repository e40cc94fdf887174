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

export interface HeartbeatActions {
  ping(): void
  /** The peer is dead. */
  dead(problem: string): void
}

/** Pings the peer of a WebSocket, and reports a dead one. */
export class Heartbeat {
  private readonly timer: NodeJS.Timeout
  private lastHeard = performance.now()
  private written = 0
  private isSuspended = false

  constructor(
    private readonly times: HeartbeatTimes,
    private readonly actions: HeartbeatActions,
  ) {
    this.timer = setInterval(() => this.beat(), times.interval)
  }

  /** Must be called for each pong: the peer has read all that was sent before the ping. */
  pong(): void {
    this.written = 0
    this.heard()
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
      this.actions.dead(`nothing was received for ${Math.round(limit / SECOND)} seconds`)
    } else this.actions.ping()
  }
}
