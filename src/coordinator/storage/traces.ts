import type { FileHandle } from 'node:fs/promises'
import { mkdir, open, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'

import { isMissingFile } from '../../lib/files.js'
import type { ByteRange } from './blob-store.js'
import { KeyLock } from './key-lock.js'

/** The job whose trace is meant; a job row fits. */
export interface TraceOwner {
  id: number
  project_id: number
}

export type AppendResult =
  | { kind: 'appended'; size: number }
  /** `offset` was not the size; nothing was written and `body` was not read. */
  | { kind: 'conflict'; size: number }
  /** The trace would have grown over the limit; it is as it was before. */
  | { kind: 'too-large'; size: number }

/**
 * Traces of jobs, one file each, at `<root>/<project id>/<job id>.log`. The size of the file is the only record of how
 * much has arrived: a coordinator that was killed in the middle of a patch tells the runner the true offset afterwards
 * (runner protocol, 4.2).
 */
export class Traces {
  private readonly lock = new KeyLock<number>()

  constructor(
    private readonly root: string,
    private readonly maxBytes: number,
  ) {}

  /** Adds `body` at `offset`, which must be the current size. When `body` fails half way, nothing of it is kept. */
  append(job: TraceOwner, offset: number, body: Readable): Promise<AppendResult> {
    return this.lock.run(job.id, async () => {
      const size = await this.size(job)
      if (size !== offset) return { kind: 'conflict', size }
      return this.write(job, size, body)
    })
  }

  /** Bytes; 0 while there is no trace. */
  async size(job: TraceOwner): Promise<number> {
    try {
      const { size } = await stat(this.pathOf(job))
      return size
    } catch (error) {
      if (isMissingFile(error)) return 0
      throw error
    }
  }

  /** The bytes, or the part `range` of them; an empty stream while there is no trace. */
  async read(job: TraceOwner, range?: ByteRange): Promise<Readable> {
    try {
      const file = await open(this.pathOf(job))
      return file.createReadStream(range)
    } catch (error) {
      if (isMissingFile(error)) return Readable.from([])
      throw error
    }
  }

  async delete(job: TraceOwner): Promise<void> {
    await this.lock.run(job.id, () => rm(this.pathOf(job), { force: true }))
  }

  async deleteProject(projectId: number): Promise<void> {
    await rm(join(this.root, String(projectId)), { recursive: true, force: true })
  }

  private async write(job: TraceOwner, size: number, body: Readable): Promise<AppendResult> {
    const file = await openToAppend(this.pathOf(job))
    try {
      const written = await copyInto(file, body, this.maxBytes - size)
      if (written !== undefined) return { kind: 'appended', size: size + written }
      await file.truncate(size)
      return { kind: 'too-large', size }
    } catch (error) {
      await file.truncate(size)
      throw error
    } finally {
      await file.close()
    }
  }

  private pathOf(job: TraceOwner): string {
    return join(this.root, String(job.project_id), `${job.id}.log`)
  }
}

/** Makes the folder of a project with its first trace alone: patches come every few seconds from every running job. */
async function openToAppend(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'a')
  } catch (error) {
    if (!isMissingFile(error)) throw error
    await mkdir(dirname(path), { recursive: true })
    return open(path, 'a')
  }
}

/** Bytes written, or undefined when there were more than `room`. */
async function copyInto(file: FileHandle, body: Readable, room: number): Promise<number | undefined> {
  let written = 0
  // The stream is a request: destroying it would close the connection that the refusal is answered on.
  const chunks = body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
  for await (const chunk of chunks) {
    if (written + chunk.length > room) return undefined
    await file.appendFile(chunk)
    written += chunk.length
  }
  return written
}
