import { Readable } from 'node:stream'

interface Chunk {
  text: string
  bytes: number
  /** ID of the event. */
  id: string
}

/** Beyond this, a client reads more slowly than its events arrive. In bytes. */
const FULL = 256 * 1024
/** More of a log or of a whole pipeline is added while the queue is below this size. In bytes. */
const ROOM = 64 * 1024

/** The body of a stream: events that its client has not read yet. */
export class EventQueue extends Readable {
  private chunks: Chunk[] = []
  private bytes = 0
  private isWanted = false
  private isEnding = false
  private hasEnded = false
  /** ID of the last event that was handed to the connection. */
  handedId = ''

  /** `onRoom` is called whenever the client reads and there is room. */
  constructor(private readonly onRoom: () => void) {
    super()
  }

  get isFull(): boolean {
    return this.bytes > FULL
  }

  get hasRoom(): boolean {
    return this.bytes < ROOM && !this.isOver
  }

  get isIdle(): boolean {
    return this.chunks.length === 0
  }

  /** Whether it accepts no more events. */
  get isOver(): boolean {
    return this.isEnding || this.destroyed
  }

  add(text: string, id: string): void {
    if (this.isOver) return
    const bytes = Buffer.byteLength(text)
    this.chunks.push({ text, bytes, id })
    this.bytes += bytes
    this.hand()
  }

  /** Drops what was not handed to the connection. */
  clear(): void {
    this.chunks = []
    this.bytes = 0
  }

  /** Ends the body after the events that it has. */
  finish(): void {
    if (this.isOver) return
    this.isEnding = true
    this.hand()
  }

  override _read(): void {
    this.isWanted = true
    this.hand()
    if (this.hasRoom) this.onRoom()
  }

  private hand(): void {
    while (this.isWanted) {
      const chunk = this.chunks.shift()
      if (!chunk) break
      this.bytes -= chunk.bytes
      this.handedId = chunk.id
      this.isWanted = this.push(chunk.text)
    }
    if (!this.isEnding || this.hasEnded || this.chunks.length > 0) return
    this.hasEnded = true
    this.push(null)
  }
}
