import { PassThrough, type Readable } from 'node:stream'

import { ZipArchive } from 'archiver'

/** A zip with these files. */
export async function zipOf(files: Record<string, string>): Promise<Readable> {
  const zip = new ZipArchive()
  const output = new PassThrough()
  zip.pipe(output)
  for (const [name, content] of Object.entries(files)) zip.append(content, { name })
  void zip.finalize()
  return output
}
