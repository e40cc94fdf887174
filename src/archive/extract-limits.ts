import { UnsafeArchiveError } from './errors.js'
import type { ZipEntry } from './zip-reader.js'

/** What an archive may unpack to. More is taken for a bomb: a small file that fills the disk. */
export interface ExtractLimits {
  maximumEntries: number
  /** Bytes after unpacking, of one entry and of all together. */
  maximumEntryBytes: number
  maximumBytes: number
  /** Unpacked to packed bytes of all together, looked at once more than `ratioFromBytes` are unpacked. */
  maximumRatio: number
  ratioFromBytes: number
}

/** Wide enough for anything that a job leaves behind on purpose: images of disks are sparse, logs repeat themselves. */
export const DEFAULT_LIMITS: ExtractLimits = {
  maximumEntries: 1_000_000,
  maximumEntryBytes: 100 * 1024 ** 3,
  maximumBytes: 100 * 1024 ** 3,
  maximumRatio: 200,
  ratioFromBytes: 1024 ** 3,
}

/** Deflate's own: one that claims more lies about its size. With some bytes for what surrounds the blocks. */
const MOST_DEFLATED = 1032
const DEFLATE_OVERHEAD_BYTES = 64

/** Counts the entries of one archive against the limits, as its table of contents has them. */
export class ExtractBudget {
  private entries = 0
  private bytes = 0

  /**
   * `archiveBytes`, the size of the file, stands for the packed bytes: entries may overlap, so that their own sum says
   * too much.
   */
  constructor(
    private readonly limits: ExtractLimits,
    private readonly archiveBytes: number,
  ) {}

  /** Throws `UnsafeArchiveError` when the archive with this entry is past a limit. */
  take({ name, size, compressedSize }: ZipEntry): void {
    const { limits } = this
    this.entries += 1
    this.bytes += size
    const label = JSON.stringify(name)
    if (this.entries > limits.maximumEntries) refuse(`has more than ${limits.maximumEntries} entries`)
    if (size > limits.maximumEntryBytes) {
      refuse(`has an entry that unpacks to more than ${limits.maximumEntryBytes} bytes: ${label}`)
    }
    if (size > compressedSize * MOST_DEFLATED + DEFLATE_OVERHEAD_BYTES) {
      refuse(`has an entry that claims to unpack to ${size} bytes, which it cannot: ${label}`)
    }
    if (this.bytes > limits.maximumBytes) refuse(`unpacks to more than ${limits.maximumBytes} bytes`)
    if (this.bytes > limits.ratioFromBytes && this.bytes / this.archiveBytes > limits.maximumRatio) {
      refuse(`unpacks to more than ${limits.maximumRatio} times its size`)
    }
  }
}

function refuse(problem: string): never {
  throw new UnsafeArchiveError(`The archive ${problem}`)
}
