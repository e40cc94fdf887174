import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

import { removeOlderIn } from '../../../lib/files.js'
import { type ApiError, apiError } from '../errors.js'

/** An uploaded file on disk. */
export interface SpooledFile {
  size: number
  open(): Readable
  remove(): Promise<void>
}

/** Stores uploaded files on disk while their requests run, so that uploads of any size need no memory. */
export class UploadSpool {
  constructor(private readonly folder: string) {}

  /** Throws 413 above `maxBytes`. Deletes the file then, and when `body` fails. */
  async save(body: Readable, maxBytes: number): Promise<SpooledFile> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 })
    const path = join(this.folder, randomUUID())
    try {
      const size = await write(path, body, maxBytes)
      return { size, open: () => createReadStream(path), remove: () => rm(path, { force: true }) }
    } catch (error) {
      await rm(path, { force: true })
      throw error
    }
  }

  /** Periodic task: deletes files of killed coordinators. Returns their number. */
  deleteAbandoned(olderThan: Date): Promise<number> {
    return removeOlderIn(this.folder, olderThan)
  }
}

export function tooLarge(): ApiError {
  return apiError('body_too_large')
}

async function write(path: string, body: Readable, maxBytes: number): Promise<number> {
  const file = await open(path, 'wx', 0o600)
  try {
    let size = 0
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > maxBytes) throw tooLarge()
      await file.writeFile(chunk)
    }
    return size
  } finally {
    await file.close()
  }
}
