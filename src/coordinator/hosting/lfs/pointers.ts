import { ObjectReader } from '../../../git/object-reader.js'
import { gitRecords } from '../../../git/stream-git.js'
import type { StatedObject } from './objects.js'

/** Pointers are smaller. */
export const MAX_POINTER_BYTES = 1024

const POINTER =
  /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n(?:ext-\d-[^\n]+\n)*oid sha256:(?<oid>[0-9a-f]{64})\nsize (?<size>\d{1,15})\n?$/

/** The object for which a file in git stands; undefined for other files. */
export function parsePointer(content: Buffer): StatedObject | undefined {
  if (content.length > MAX_POINTER_BYTES) return undefined
  const groups = POINTER.exec(content.toString())?.groups
  return groups && { oid: groups['oid'] ?? '', size: Number(groups['size']) }
}

/** The objects to which files point that are reachable from `ref`, and from no branch or tag. */
export async function* newPointers(
  gitDir: string,
  ref: string,
  signal: AbortSignal,
): AsyncGenerator<StatedObject> {
  const objects = new ObjectReader(gitDir)
  try {
    for (const id of await smallBlobs(gitDir, ref, signal)) {
      signal.throwIfAborted()
      const blob = await objects.readNamed(id, MAX_POINTER_BYTES)
      const pointer = parsePointer(blob.content)
      if (pointer) yield pointer
    }
  } finally {
    await objects.close()
  }
}

async function smallBlobs(gitDir: string, ref: string, signal: AbortSignal): Promise<string[]> {
  const git = ['--git-dir', gitDir]
  const options = { separator: '\n', signal } as const
  const filter = ['--objects', '--no-object-names', `--filter=blob:limit=${MAX_POINTER_BYTES}`]
  const listed: string[] = []
  const list = ['rev-list', ...filter, ref, '--not', '--branches', '--tags']
  for await (const id of gitRecords([...git, ...list], options)) listed.push(`${id}\n`)
  if (listed.length === 0) return []
  const check = ['cat-file', '--buffer', '--batch-check=%(objecttype) %(objectname)']
  const blobs: string[] = []
  for await (const line of gitRecords([...git, ...check], { ...options, input: listed.join('') })) {
    const [type, id = ''] = line.split(' ')
    if (type === 'blob') blobs.push(id)
  }
  return blobs
}
