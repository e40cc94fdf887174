/** One item to archive, with the metadata that a format may need. */
export type ArchiveInput = InputTraits &
  (
    | { kind: 'directory' }
    | { kind: 'link'; target: Buffer }
    /** A small file that is already read. */
    | { kind: 'file'; content: Buffer }
    /** A file that is too large to buffer. `content` yields at most `size` bytes and can be read once. */
    | { kind: 'stream'; content: AsyncIterable<Buffer>; size: number; close(): Promise<void> }
    /** Devices, pipes, sockets. */
    | { kind: 'special' }
  )

export interface InputTraits {
  /** A relative path with `/` as separator and without a trailing `/`. */
  name: string
  /** Permission bits including setuid, setgid and sticky. */
  mode: number
  modified: Date
  uid: number
  gid: number
}

/** Opens one input. Several may be opened at a time. */
export type OpenInput = () => Promise<ArchiveInput>

/** In the order of the archive. */
export type ArchiveInputs = Iterable<OpenInput> | AsyncIterable<OpenInput>

/** Number of inputs that are opened, and compressed if they are small, at a time. */
export const INPUTS_AT_ONCE = 12

/** Files up to this size are read at once. With `INPUTS_AT_ONCE`, it limits the memory in use. */
export const SMALL_FILE_BYTES = 512 * 1024

/** Closes an input that will not be read. */
export async function closeInput(input: ArchiveInput): Promise<void> {
  if (input.kind === 'stream') await input.close()
}
