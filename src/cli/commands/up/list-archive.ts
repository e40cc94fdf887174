import { openPromise } from 'yauzl'

export interface ArchivedFile {
  path: string
  /** Unpacked size in bytes. */
  size: number
}

/** The files in a zip archive, without folders. */
export async function listArchive(file: string): Promise<ArchivedFile[]> {
  const archive = await openPromise(file)
  const files: ArchivedFile[] = []
  for await (const entry of archive.eachEntry()) {
    if (!entry.fileName.endsWith('/')) files.push({ path: entry.fileName, size: entry.uncompressedSize })
  }
  return files
}
