import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { extractZip } from '../../../archive/extract-zip.js'
import { ZipReader } from '../../../archive/zip-reader.js'
import { invalid } from '../../../ci-config/errors.js'
import type { DotenvVariable } from '../../../coordinator/ci/jobs/artifacts/dotenv.js'
import { readDotenv } from '../../../coordinator/ci/jobs/artifacts/read-dotenv.js'
import { messageOf } from '../../../lib/errors.js'
import type { UploadedFile } from '../../../runner/client/coordinator-client.js'
import { UnpackError } from './errors.js'

/** As for a coordinator (CI language, 18). */
const MAX_FILE_BYTES = 5 * 1024 * 1024

export interface StoredArchive {
  filename: string
  /** In bytes. */
  size: number
  /** Path of the archive. */
  path: string
}

/** The artifacts of the jobs of one run, in a folder that is removed with the run. */
export class LocalArtifacts {
  private readonly archives = new Map<number, StoredArchive>()
  private readonly dotenv = new Map<number, DotenvVariable[]>()

  /**
   * `folder` must exist. With `keepIn`, the files of each archive are also unpacked into a directory below it with
   * the name of the job.
   */
  constructor(
    private readonly folder: string,
    private readonly keepIn: string | undefined,
  ) {}

  /** Throws an `ApiError` for a report that a coordinator would refuse, and an `UnpackError`. */
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

  /** Adds an archive that a job of another run has left. */
  add(jobId: number, archive: StoredArchive): void {
    this.archives.set(jobId, archive)
  }

  archiveOf(jobId: number): StoredArchive | undefined {
    return this.archives.get(jobId)
  }

  open(jobId: number): Readable | undefined {
    const archive = this.archives.get(jobId)
    return archive && createReadStream(archive.path)
  }

  /** One file of the archive of a job. Undefined if there is none. Throws `ConfigError` if it is too large. */
  async readFile(jobId: number, name: string): Promise<string | undefined> {
    const archive = this.archives.get(jobId)
    if (!archive) return undefined
    const { path, size } = archive
    const read = ({ start, end }: { start: number; end: number }) =>
      Promise.resolve(createReadStream(path, { start, end: end - 1 }))
    const zip = await ZipReader.open({ size, read })
    for await (const entry of zip.entries()) {
      if (entry.name !== name || entry.kind !== 'file') continue
      if (entry.size > MAX_FILE_BYTES)
        throw invalid(`File \`${name}\` is larger than ${MAX_FILE_BYTES} bytes!`)
      return (await zip.read(entry)).toString('utf8')
    }
    return undefined
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
    const message = `The files cannot be written to ${directory}: ${messageOf(cause)}`
    throw new UnpackError(message, { cause })
  }
}

/** Job names may contain path separators. */
function folderName(job: string): string {
  const name = job.replace(/[/\\:\0]/g, '_')
  return /^\.*$/.test(name) ? `_${name}` : name
}
