import { open } from 'node:fs/promises'

import { CannotStartError } from './errors.js'
import { isStaticProgram, PROGRAM_HEAD_BYTES } from './is-static-program.js'

const PATHS = ['/bin/busybox', '/usr/bin/busybox', '/usr/local/bin/busybox']

/** The system's busybox. Throws a `CannotStartError` if there is none that runs alone in a container. */
export async function findBusybox(paths = PATHS): Promise<string> {
  for (const path of paths) if (isStaticProgram(await readHead(path))) return path
  throw new CannotStartError(
    `The sample's image is built from a static busybox, and there is none at ${paths.join(' or ')}. ` +
      'Install it (on Debian and Ubuntu: apt-get install busybox-static) and start again.',
  )
}

/** Empty if there is no such file. */
async function readHead(path: string): Promise<Buffer> {
  try {
    await using file = await open(path)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(PROGRAM_HEAD_BYTES), 0, PROGRAM_HEAD_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return Buffer.alloc(0)
    throw error
  }
}
