import { once } from 'node:events'
import { mkdir, stat } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'

import { DataDirInUseError } from './errors.js'

export interface DataDirLock {
  release(): Promise<void>
}

/**
 * Locks the data directory against a second daemon on this machine. Throws `DataDirInUseError` if it is locked.
 *
 * The lock is an abstract socket name. Binding it is atomic, and the kernel releases it however the process ends,
 * so there are no stale locks. The name is derived from the identity of the directory, because one directory may
 * have several paths.
 */
export async function lockDataDir(dataDir: string): Promise<DataDirLock> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  // Only Linux has abstract sockets. Elsewhere the control socket is the only protection.
  if (process.platform !== 'linux') return { release: async () => {} }
  const { dev, ino } = await stat(dataDir)
  const server = createServer((connection) => connection.destroy())
  try {
    server.listen(`\0switchyard-runner-${dev}-${ino}`)
    await once(server, 'listening')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') throw new DataDirInUseError(dataDir)
    throw error
  }
  server.unref()
  return { release: () => close(server) }
}

async function close(server: Server): Promise<void> {
  server.close()
  await once(server, 'close')
}
