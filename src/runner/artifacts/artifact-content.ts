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

/** The selected names that can be more than a directory. */
export function fileNames({ names }: SelectedFiles): string[] {
  return names.filter((name) => !name.endsWith('/'))
}

/** Whether there is nothing to send: a format without directories needs a file. */
export function isNothing(format: ArtifactFormat, files: SelectedFiles): boolean {
  return (format === 'zip' ? files.names : fileNames(files)).length === 0
}

/** The bytes of one upload, made anew at each call. Throws `ArtifactTooLargeError` when the size is known beforehand. */
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

/** More than the coordinator takes, as it said in the job. */
export class ArtifactTooLargeError extends SwitchyardError {
  readonly name = 'ArtifactTooLargeError'
  readonly code = 'ARTIFACT_TOO_LARGE'

  /** `size`: bytes, when they are known before the end. */
  constructor(limit: number, size?: number) {
    const is = size === undefined ? 'is larger' : `has ${formatBytes(size)}, which is more`
    super(`it ${is} than the ${formatBytes(limit)} that the coordinator takes`)
  }
}

/** Bytes that went by. */
export interface Meter {
  bytes: number
}

/** Hands bytes on and counts them; throws `ArtifactTooLargeError` at the first one past the limit. */
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
