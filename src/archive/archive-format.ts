import { open } from 'node:fs/promises'

const MAGIC: [string, 'tar.zst' | 'gzip'][] = [
  ['28b52ffd', 'tar.zst'],
  ['1f8b', 'gzip'],
]

/**
 * Detects the format from the first bytes. Anything that is neither of the others is treated as a zip (runner
 * protocol, 5.2).
 */
export async function archiveFormat(path: string): Promise<'zip' | 'gzip' | 'tar.zst'> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0)
    const start = buffer.toString('hex', 0, bytesRead)
    return MAGIC.find(([magic]) => start.startsWith(magic))?.[1] ?? 'zip'
  } finally {
    await file.close()
  }
}
