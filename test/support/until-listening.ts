import { once } from 'node:events'
import { connect } from 'node:net'

/** For servers that report nothing when they listen, so this polls. */
export async function untilListening(host: string, port: number): Promise<void> {
  for (;;) {
    const socket = connect({ host, port })
    try {
      await once(socket, 'connect')
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 10))
    } finally {
      socket.destroy()
    }
  }
}
