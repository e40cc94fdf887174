import type { Socket } from 'node:net'

/** Each job uses one connection up: the one that it attaches to its container by. */
const SPARES = 2
/** Of all engines together, because each has a process that takes a megabyte. */
const MAX_SPARES = 8
/** Milliseconds that a spare connection waits. */
const MAX_WAIT = 20_000

/**
 * Connections that are opened before they are needed, because to start the processes of one takes longer than most
 * requests. There are none while nothing is used.
 */
export class SpareConnections {
  /** Spare connections of all engines. */
  private static total = 0
  private readonly spares = new Set<Socket>()
  private opening = 0

  /** `ended` is called when the other side closed a connection that waited. */
  constructor(
    private readonly open: () => Promise<Socket>,
    private readonly ended: () => void,
  ) {}

  /** A spare connection, or a new one. Throws what `open` throws. */
  async take(): Promise<Socket> {
    const [spare] = this.spares
    if (spare) this.remove(spare)
    const connection = spare?.ref() ?? (await this.open())
    this.refill()
    return connection
  }

  private refill(): void {
    for (let count = this.spares.size + this.opening; count < SPARES; count++) {
      if (SpareConnections.total >= MAX_SPARES) return
      SpareConnections.total++
      this.opening++
      this.open()
        // The next caller gets the error of an attempt of its own.
        .then(
          (connection) => this.keep(connection),
          () => SpareConnections.total--,
        )
        .finally(() => this.opening--)
    }
  }

  /** Returns whether the connection was a spare one. */
  private remove(connection: Socket): boolean {
    const wasSpare = this.spares.delete(connection)
    if (wasSpare) SpareConnections.total--
    return wasSpare
  }

  private keep(connection: Socket): void {
    this.spares.add(connection.unref())
    const end = () => {
      if (this.remove(connection)) connection.destroy()
    }
    const timer = setTimeout(end, MAX_WAIT).unref()
    connection.once('end', () => (this.spares.has(connection) ? this.ended() : undefined))
    // An error is followed by the end of the connection. In use, it has other listeners.
    connection.once('close', () => {
      clearTimeout(timer)
      this.remove(connection)
    })
    connection.on('error', end)
  }
}
