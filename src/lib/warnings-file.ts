import { appendFileSync, renameSync, statSync } from 'node:fs'

import { isMissingFile, readIfThere } from './files.js'

/** Size after which a file is put aside and the next one begins, in bytes. */
const MAX_BYTES = 256 * 1024

/** Keeps the last lines of a log in a file, and those before them in a second one. */
export class WarningsFile {
  private bytes: number | undefined

  constructor(private readonly path: string) {}

  /** A line that cannot be written, such as on a full disk, is in the log itself alone. */
  add(line: string): void {
    try {
      this.bytes ??= fileSize(this.path)
      if (this.bytes >= MAX_BYTES) {
        renameSync(this.path, before(this.path))
        this.bytes = 0
      }
      appendFileSync(this.path, line, { mode: 0o600 })
      this.bytes += Buffer.byteLength(line)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error
    }
  }
}

/** The lines that are kept, oldest first; empty if there are none. */
export async function readWarnings(path: string): Promise<string> {
  return ((await readIfThere(before(path))) ?? '') + ((await readIfThere(path)) ?? '')
}

function before(path: string): string {
  return `${path}.1`
}

function fileSize(path: string): number {
  try {
    return statSync(path).size
  } catch (error) {
    if (isMissingFile(error)) return 0
    throw error
  }
}
