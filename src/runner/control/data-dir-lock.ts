import { once } from 'node:events'
import { mkdir, stat } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'

import { DataDirInUseError } from './errors.js'

export interface DataDirLock {
  release(): Promise<void>
}

/**
 * Keeps a second daemon of this machine off the data directory. The lock is a name in the kernel's own table of
 * sockets: taking it is one step, and the kernel frees it however the process ends, so that no stale lock is ever
 * left. The name is made of the directory's identity, because one directory may have several paths.
 * Throws `DataDirInUseError`.
 */
export async function lockDataDir(dataDir: string): Promise<DataDirLock> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  // Names without a file are Linux's; elsewhere the control socket alone has to do.
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
