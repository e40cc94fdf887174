import { open } from 'node:fs/promises'

import { installPackages } from './debian-packages.mjs'

const BUSYBOX = '/bin/busybox'

/** The small local image is built from it, so it must not need any library. */
export async function ensureBusybox() {
  if (await isStatic(BUSYBOX)) return
  await installPackages(['busybox-static'], 'make a small image without a registry')
}

/**
 * Whether `path` is a program without a dynamic linker. Other programs contain its path near their start.
 * @param {string} path
 * @returns {Promise<boolean>} also false if there is no such file
 */
export async function isStatic(path) {
  const file = await open(path).catch(() => undefined)
  if (!file) return false
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(4096) })
    return !/\/lib[^\0]*\/ld-/.test(buffer.toString('latin1', 0, bytesRead))
  } finally {
    await file.close()
  }
}
