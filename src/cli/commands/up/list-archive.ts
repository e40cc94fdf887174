import { openPromise } from 'yauzl'

export interface ArchivedFile {
  path: string
  /** Bytes, unpacked. */
  size: number
}

/** The files in a zip archive, folders left out. */
export async function listArchive(file: string): Promise<ArchivedFile[]> {
  const archive = await openPromise(file)
  const files: ArchivedFile[] = []
  for await (const entry of archive.eachEntry()) {
    if (!entry.fileName.endsWith('/')) files.push({ path: entry.fileName, size: entry.uncompressedSize })
  }
  return files
}
