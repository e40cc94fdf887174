import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'

import { onTestFinished } from 'vitest'

import { tempDir } from '../../support/temp-dir.js'

/** The engine's socket behind one that can be shut, for an engine that goes away. */
export interface EngineDoor {
  host: string
  /** Cuts every connection; further ones are refused until `open`. */
  shut(): void
  open(): void
}

export async function openEngineDoor(): Promise<EngineDoor> {
  const path = join(await tempDir(), 'engine.sock')
  const sockets = new Set<Socket>()
  let isOpen = true
  const server = createServer((inside) => {
    if (!isOpen) return inside.destroy()
    const outside = connect('/var/run/docker.sock')
    for (const socket of [inside, outside]) {
      sockets.add(socket)
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    }
    inside.pipe(outside).pipe(inside)
  })
  await new Promise<void>((resolve) => server.listen(path, resolve))
  const shut = () => {
    isOpen = false
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(() => {
    shut()
    server.close()
  })
  return { host: `unix://${path}`, shut, open: () => void (isOpen = true) }
}
