import type { Socket } from 'node:net'

/** Each job uses one connection up: the one that it attaches to its container by. */
const SPARES = 2
/** Milliseconds that a spare connection waits. */
const MAX_WAIT = 20_000

/**
 * Connections that are opened before they are needed, because to start the processes of one takes longer than most
 * requests. There are none while nothing is used.
 */
export class SpareConnections {
  private readonly spares = new Set<Socket>()
  private opening = 0

  constructor(private readonly open: () => Promise<Socket>) {}

  /** A spare connection, or a new one. Throws what `open` throws. */
  async take(): Promise<Socket> {
    const [spare] = this.spares
    if (spare) this.spares.delete(spare)
    const connection = spare?.ref() ?? (await this.open())
    this.refill()
    return connection
  }

  private refill(): void {
    for (let count = this.spares.size + this.opening; count < SPARES; count++) {
      this.opening++
      this.open()
        // The next caller gets the error of an attempt of its own.
        .then(
          (connection) => this.keep(connection),
          () => {},
        )
        .finally(() => this.opening--)
    }
  }

  private keep(connection: Socket): void {
    this.spares.add(connection.unref())
    const end = () => {
      if (this.spares.delete(connection)) connection.destroy()
    }
    const timer = setTimeout(end, MAX_WAIT).unref()
    // An error is followed by the end of the connection. In use, it has other listeners.
    connection.once('close', () => {
      clearTimeout(timer)
      this.spares.delete(connection)
    })
    connection.on('error', end)
  }
}
