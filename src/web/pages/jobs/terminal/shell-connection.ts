import type { Ticket } from '../../../../coordinator/ci/terminals/schema.js'

/** Channels of a terminal (runner protocol, 12.8). */
const STDIN = 0
const PROTOCOL = 'switchyard.terminal'
/** Bytes of one message; the server refuses much longer ones. */
const MAX_MESSAGE = 64 * 1024

interface TerminalSize {
  columns: number
  rows: number
}

interface ShellEvents {
  /** The runner has opened the shell, or prints. */
  onOutput: (bytes: Uint8Array) => void
  /** The shell ends soon. Undefined: not any more. */
  onWarning: (message: string | undefined) => void
  /** Called once. `code`: exit code of the shell; undefined if it did not end by itself. */
  onEnd: (reason: string, code?: number) => void
}

type Message = { kind: 'exit'; code: number } | { kind: 'error' | 'warning'; message: string }

/** A shell in a job, over a WebSocket that a ticket opens. */
export class ShellConnection {
  private readonly socket: WebSocket
  private readonly encoder = new TextEncoder()
  private hasEnded = false

  constructor(
    { ticket, url }: Pick<Ticket, 'ticket' | 'url'>,
    private readonly events: ShellEvents,
    server: string = location.origin,
  ) {
    const address = new URL(url, server).href.replace(/^http/, 'ws')
    this.socket = new WebSocket(address, [PROTOCOL, `ticket.${ticket}`])
    this.socket.binaryType = 'arraybuffer'
    this.socket.addEventListener('message', ({ data }: MessageEvent<ArrayBuffer | string>) => {
      if (typeof data === 'string') this.receive(JSON.parse(data) as Message)
      else this.events.onOutput(new Uint8Array(data, 1))
    })
    this.socket.addEventListener('close', ({ reason, code }) => this.end(reason || closeReason(code)))
  }

  /** Sends keys. `text` with characters up to U+00FF that stand for bytes needs `areBytes`. */
  type(text: string, areBytes = false): void {
    const bytes = areBytes ? Uint8Array.from(text, (sign) => sign.charCodeAt(0)) : this.encoder.encode(text)
    for (let at = 0; at < bytes.length; at += MAX_MESSAGE) {
      const piece = bytes.subarray(at, at + MAX_MESSAGE)
      const message = new Uint8Array(piece.length + 1)
      message[0] = STDIN
      message.set(piece, 1)
      this.send(message)
    }
    this.events.onWarning(undefined)
  }

  resize({ columns, rows }: TerminalSize): void {
    this.send(JSON.stringify({ kind: 'resize', columns, rows }))
  }

  /** Ends the shell, without an event. */
  close(): void {
    this.hasEnded = true
    this.socket.close(1000, 'The person has left')
  }

  /** What comes before the socket is open waits for it: the first keys, and the size. */
  private send(message: string | Uint8Array<ArrayBuffer>): void {
    const { socket } = this
    if (socket.readyState === WebSocket.CONNECTING)
      socket.addEventListener('open', () => socket.send(message), { once: true })
    else if (socket.readyState === WebSocket.OPEN) socket.send(message)
  }

  private receive(message: Message): void {
    switch (message.kind) {
      case 'warning':
        this.events.onWarning(message.message)
        return
      case 'error':
        this.end(message.message)
        return
      case 'exit':
        this.end(
          message.code === 0 ? 'The shell has ended' : `The shell has ended with exit code ${message.code}`,
          message.code,
        )
    }
  }

  private end(reason: string, code?: number): void {
    if (this.hasEnded) return
    this.hasEnded = true
    this.events.onEnd(reason, code)
    this.socket.close()
  }
}

const ABNORMAL = 1006

function closeReason(code: number): string {
  return code === ABNORMAL ? 'The connection to the server was lost' : 'The connection to the job has ended'
}
