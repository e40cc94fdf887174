import { Readable } from 'node:stream'

import { SwitchyardError } from '../../lib/errors.js'
import { formatBytes } from '../../lib/format-bytes.js'
import type { AddedFile, CompressionLevel, SelectedFiles, Workspace } from '../workspace/workspace.js'
import type { ArtifactFormat } from './artifact-plan.js'

export interface ArtifactFiles {
  files: SelectedFiles
  level: CompressionLevel
  added: AddedFile[]
}

/** The selected names that may be files. Directories end in a slash. */
export function fileNames({ names }: SelectedFiles): string[] {
  return names.filter((name) => !name.endsWith('/'))
}

/** Whether there is nothing to upload. A format without directories needs at least one file. */
export function isNothing(format: ArtifactFormat, files: SelectedFiles): boolean {
  return (format === 'zip' ? files.names : fileNames(files)).length === 0
}

/**
 * Opens the bytes of one upload. Each call produces them from the start. Throws `ArtifactTooLargeError` if the size
 * is known in advance and exceeds the limit.
 */
export async function openContent(
  workspace: Pick<Workspace, 'zip' | 'gzip' | 'openFile'>,
  format: ArtifactFormat,
  { files, level, added }: ArtifactFiles,
  limit = Infinity,
): Promise<Readable> {
  switch (format) {
    case 'zip':
      return workspace.zip(files, level, added)
    case 'gzip':
      return workspace.gzip(files, level)
    case 'raw':
      return await openRaw(workspace, fileNames(files)[0] ?? '', limit)
  }
}

async function openRaw(
  workspace: Pick<Workspace, 'openFile'>,
  name: string,
  limit: number,
): Promise<Readable> {
  const { size, content, close } = await workspace.openFile(name)
  if (size <= limit) return Readable.from(content, { objectMode: false })
  await close()
  throw new ArtifactTooLargeError(limit, size)
}

/** The artifact exceeds the size limit that the coordinator sent with the job. */
export class ArtifactTooLargeError extends SwitchyardError {
  readonly name = 'ArtifactTooLargeError'
  readonly code = 'ARTIFACT_TOO_LARGE'

  /** `size` is in bytes. It is undefined if the limit was reached before the end. */
  constructor(limit: number, size?: number) {
    const is = size === undefined ? 'is larger' : `has ${formatBytes(size)}, which is more`
    super(`it ${is} than the ${formatBytes(limit)} that the coordinator accepts`)
  }
}

/** Number of bytes passed on so far. */
export interface Meter {
  bytes: number
}

/** Passes the bytes on and counts them. Throws `ArtifactTooLargeError` at the first byte beyond the limit. */
export async function* measured(
  content: AsyncIterable<Buffer>,
  meter: Meter,
  limit = Infinity,
): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    meter.bytes += chunk.length
    if (meter.bytes > limit) throw new ArtifactTooLargeError(limit)
    yield chunk
  }
}
