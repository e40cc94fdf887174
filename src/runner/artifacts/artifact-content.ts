import { Readable } from 'node:stream'

import type { AddedFile, CompressionLevel, SelectedFiles, Workspace } from '../workspace/workspace.js'
import type { ArtifactFormat } from './artifact-plan.js'
import { ArtifactTooLargeError } from './artifact-size.js'

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
