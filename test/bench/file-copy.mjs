import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

import { median } from './table.mjs'

const TURNS = 5

/**
 * Milliseconds in which Node.js copies a file of so many megabytes, byte by byte through streams.
 * @param {string} folder
 * @param {number} megabytes
 */
export async function timeFileCopy(folder, megabytes) {
  const [from, to] = [join(folder, 'copy-from'), join(folder, 'copy-to')]
  await writeFile(from, randomBytes(megabytes * 1_000_000))
  /** @type {number[]} */
  const times = []
  for (let turn = 0; turn < TURNS; turn++) {
    const start = performance.now()
    await pipeline(createReadStream(from), createWriteStream(to))
    times.push(performance.now() - start)
  }
  await Promise.all([rm(from), rm(to)])
  return median(times)
}
