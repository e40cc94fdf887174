import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'

import { onFinished } from '../../support/lifetime.js'
import { connectToMachineEngine } from '../../support/machine-engine.js'
import { tempDir } from '../../support/temp-dir.js'

/** The engine's socket behind one that can be shut, for an engine that goes away. */
export interface EngineDoor {
  host: string
  /** Cuts every connection; further ones are refused until `open`. */
  shut(): void
  open(): void
}

/**
 * `remote`: at an address of the network, as an engine on another machine. `endsAttached`: connections that are attached to
 * a container end at once, without an error.
 */
export async function openEngineDoor(
  options: { remote?: boolean; endsAttached?: boolean } = {},
): Promise<EngineDoor> {
  const path = join(await tempDir(), 'engine.sock')
  const sockets = new Set<Socket>()
  let isOpen = true
  const server = createServer((inside) => {
    if (!isOpen) return inside.destroy()
    const outside = connectToMachineEngine()
    for (const socket of [inside, outside]) {
      sockets.add(socket)
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    }
    if (options.endsAttached) endAttached(inside, outside)
    else inside.pipe(outside).pipe(inside)
  })
  const place = options.remote ? { host: '127.0.0.1', port: 0 } : { path }
  await new Promise<void>((resolve) => server.listen(place, resolve))
  const shut = () => {
    isOpen = false
    for (const socket of sockets) socket.destroy()
  }
  onFinished(() => {
    shut()
    server.close()
  })
  const address = server.address()
  const host = typeof address === 'object' && address ? `tcp://127.0.0.1:${address.port}` : `unix://${path}`
  return { host, shut, open: () => void (isOpen = true) }
}

function endAttached(inside: Socket, outside: Socket): void {
  let isAttached = false
  inside.on('data', (chunk) => {
    isAttached ||= chunk.includes('/attach?')
    outside.write(chunk)
  })
  outside.on('data', (chunk) => {
    if (isAttached) inside.end(chunk.subarray(0, chunk.indexOf('\r\n\r\n') + 4))
    else inside.write(chunk)
  })
  outside.on('end', () => inside.end())
}
