import { UnsafeArchiveError } from './errors.js'
import type { ZipEntry } from './zip-reader.js'

/**
 * Limits for unpacking an archive. One that exceeds them is treated as a bomb: a small file that fills the disk.
 */
export interface ExtractLimits {
  maximumEntries: number
  /** Unpacked bytes, of one entry and in total. */
  maximumEntryBytes: number
  maximumBytes: number
  /**
   * Maximum ratio of unpacked to packed bytes in total. It applies after more than `ratioFromBytes` are unpacked.
   */
  maximumRatio: number
  ratioFromBytes: number
}

/** High enough for everything that a job creates deliberately: disk images are sparse, and logs are repetitive. */
export const DEFAULT_LIMITS: ExtractLimits = {
  maximumEntries: 1_000_000,
  maximumEntryBytes: 100 * 1024 ** 3,
  maximumBytes: 100 * 1024 ** 3,
  maximumRatio: 200,
  ratioFromBytes: 1024 ** 3,
}

/**
 * Maximum ratio of deflate. An entry with a higher ratio has a false size. Some bytes are allowed for the block
 * headers.
 */
const MAX_DEFLATE_RATIO = 1032
const DEFLATE_OVERHEAD_BYTES = 64

/** Counts the entries of one archive against the limits, based on its table of contents. */
export class ExtractBudget {
  private entries = 0
  private bytes = 0

  /**
   * `archiveBytes`, the size of the file, is used as the packed size, because the sum of overlapping entries would
   * be too high.
   */
  constructor(
    private readonly limits: ExtractLimits,
    private readonly archiveBytes: number,
  ) {}

  /** Throws `UnsafeArchiveError` if the archive exceeds a limit with this entry. */
  take({ name, size, compressedSize }: ZipEntry): void {
    const { limits } = this
    this.entries += 1
    this.bytes += size
    const label = JSON.stringify(name)
    if (this.entries > limits.maximumEntries) refuse(`has more than ${limits.maximumEntries} entries`)
    if (size > limits.maximumEntryBytes) {
      refuse(`has an entry that unpacks to more than ${limits.maximumEntryBytes} bytes: ${label}`)
    }
    if (size > compressedSize * MAX_DEFLATE_RATIO + DEFLATE_OVERHEAD_BYTES) {
      refuse(`has an entry that claims an impossible unpacked size of ${size} bytes: ${label}`)
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
