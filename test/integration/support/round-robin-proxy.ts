import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Passes each connection to one of several servers, in turn; to the next one if a server does not listen. */
export class RoundRobinProxy {
  private next = 0
  private readonly sockets = new Set<Socket>()
  private readonly server = createServer((client) => void this.pass(client))

  private constructor(private readonly ports: readonly number[]) {}

  static async start(urls: readonly string[]): Promise<RoundRobinProxy> {
    const proxy = new RoundRobinProxy(urls.map((url) => Number(new URL(url).port)))
    proxy.server.listen(0, '127.0.0.1')
    await once(proxy.server, 'listening')
    return proxy
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy()
    this.server.close()
    await once(this.server, 'close')
  }

  private async pass(client: Socket): Promise<void> {
    this.keep(client)
    const server = await this.connected()
    if (!server) {
      client.destroy()
      return
    }
    client.pipe(server).pipe(client)
    client.once('close', () => server.destroy())
    server.once('close', () => client.destroy())
  }

  private async connected(): Promise<Socket | undefined> {
    for (let tried = 0; tried < this.ports.length; tried++) {
      const server = connect(this.ports[this.next++ % this.ports.length] ?? 0, '127.0.0.1')
      this.keep(server)
      try {
        await once(server, 'connect')
        return server
      } catch {
        server.destroy() // the next one is tried
      }
    }
    return undefined
  }

  private keep(socket: Socket): void {
    this.sockets.add(socket)
    socket.on('error', () => socket.destroy()) // a server was killed
    socket.once('close', () => this.sockets.delete(socket))
  }
}
