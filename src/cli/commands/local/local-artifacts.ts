import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { extractZip } from '../../../archive/extract-zip.js'
import { ApiError } from '../../../coordinator/http/errors.js'
import type { DotenvVariable } from '../../../coordinator/resources/jobs/artifacts/dotenv.js'
import { readDotenv } from '../../../coordinator/resources/jobs/artifacts/read-dotenv.js'
import { messageOf } from '../../../lib/errors.js'
import type { UploadedFile } from '../../../runner/client.js'

export interface StoredArchive {
  filename: string
  /** Bytes. */
  size: number
  /** Where the archive lies. */
  path: string
}

/** What the jobs of one run have left for others, in a folder that is gone with the run. */
export class LocalArtifacts {
  private readonly archives = new Map<number, StoredArchive>()
  private readonly dotenv = new Map<number, DotenvVariable[]>()

  /**
   * `folder` exists. With `keepIn`, the files of each archive are also unpacked below that directory, into one that has
   * the name of the job.
   */
  constructor(
    private readonly folder: string,
    private readonly keepIn: string | undefined,
  ) {}

  /** Throws an `ApiError` for a report that a coordinator would refuse, and for files that cannot be unpacked. */
  async store(job: { id: number; name: string }, type: string, file: UploadedFile): Promise<void> {
    const path = join(this.folder, `${job.id}-${type}`)
    if (type === 'dotenv') {
      const { packed, variables } = await readDotenv(file.content)
      this.dotenv.set(job.id, variables)
      await pipeline(Readable.from([packed]), createWriteStream(path))
      return
    }
    await pipeline(file.content, createWriteStream(path))
    if (type !== 'archive') return
    this.archives.set(job.id, { filename: file.name, size: (await stat(path)).size, path })
    if (this.keepIn !== undefined) await unpack(path, join(this.keepIn, folderName(job.name)))
  }

  archiveOf(jobId: number): StoredArchive | undefined {
    return this.archives.get(jobId)
  }

  open(jobId: number): Readable | undefined {
    const archive = this.archives.get(jobId)
    return archive && createReadStream(archive.path)
  }

  dotenvOf(jobId: number): DotenvVariable[] {
    return this.dotenv.get(jobId) ?? []
  }
}

async function unpack(archive: string, directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true })
    await extractZip(archive, directory)
  } catch (cause) {
    const message = `The files cannot be put into ${directory}: ${messageOf(cause)}`
    throw new ApiError(400, { message }, {}, { cause })
  }
}

/** Names of jobs may hold what leads elsewhere. */
function folderName(job: string): string {
  const name = job.replace(/[/\\:\0]/g, '_')
  return /^\.*$/.test(name) ? `_${name}` : name
}
