import { Readable } from 'node:stream'

import { type Extract, extract, type Header } from 'tar-stream'

import { UnsafeArchiveError } from './errors.js'
import { DEFAULT_LIMITS, type ExtractLimits } from './extract-limits.js'
import { fillFile, SafeTree } from './safe-tree.js'

type Entry = Extract extends AsyncIterable<infer E> ? E : never

export interface TarPlace {
  /** Directory of the host. */
  root: string
  /** Below it: takes the place of the first component of every name. */
  at: string[]
}

/**
 * Unpacks a tar that an engine made of what a job left, as it streams by: links as links, wherever they lead, nothing
 * written through one, files of the runner's own and without rights beyond reading, writing and executing. In the
 * place of what is no file, a pipe or a device, is a pipe. Throws `UnsafeArchiveError` for names that leave the
 * directory, which no engine writes, and for an archive past the limits.
 */
export async function extractTar(
  archive: Readable,
  place: TarPlace,
  limits: Pick<ExtractLimits, 'maximumEntries' | 'maximumBytes'> = DEFAULT_LIMITS,
): Promise<void> {
  const tree = new SafeTree(place.root)
  const entries = extract()
  archive.once('error', (error) => entries.destroy(error))
  const total = { entries: 0, bytes: 0 }
  try {
    for await (const entry of archive.pipe(entries)) {
      count(total, entry.header, limits)
      await unpack(entry, tree, place)
      entry.resume()
    }
  } finally {
    archive.destroy()
  }
  await tree.finish()
}

function count(
  total: { entries: number; bytes: number },
  { size }: Header,
  limits: Pick<ExtractLimits, 'maximumEntries' | 'maximumBytes'>,
): void {
  total.entries += 1
  total.bytes += size
  if (total.entries > limits.maximumEntries) {
    throw new UnsafeArchiveError(`There are more than ${limits.maximumEntries} files`)
  }
  if (total.bytes > limits.maximumBytes) {
    throw new UnsafeArchiveError(`There are more than ${limits.maximumBytes} bytes of files`)
  }
}

async function unpack(entry: Entry, tree: SafeTree, { at }: TarPlace): Promise<void> {
  const { name, type, mode, mtime, linkname } = entry.header
  const components = [...at, ...componentsBelowFirst(name)]
  const traits = { mode, modified: mtime }
  switch (type) {
    case 'directory':
      await tree.makeDirectory(components, traits)
      break
    case 'file':
    case 'contiguous-file':
      await fillFile(await tree.createFile(components), async () => Readable.from(entry), traits)
      break
    case 'symlink':
      await tree.writeLink(components, linkname, traits)
      break
    case 'link':
      await tree.linkFile(components, [...at, ...componentsBelowFirst(linkname)])
      break
    default:
      await tree.makePipe(components)
  }
}

/** A backslash is an ordinary character here: what has one in its name is left to those who cannot keep it. */
function componentsBelowFirst(name: string): string[] {
  const components = name.split('/').filter((component) => component !== '' && component !== '.')
  if (name.startsWith('/') || name.includes('\0') || components.length === 0 || components.includes('..')) {
    throw new UnsafeArchiveError(`The archive has the name ${JSON.stringify(name)}`)
  }
  return components.slice(1)
}
