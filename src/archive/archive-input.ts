/** One thing to be archived, with what a format may want to know of it. */
export type ArchiveInput = InputTraits &
  (
    | { kind: 'directory' }
    | { kind: 'link'; target: string }
    /** A small file, read already. */
    | { kind: 'file'; content: Buffer }
    /** A file that is too large to be held; `content` gives at most `size` bytes and can be read once. */
    | { kind: 'stream'; content: AsyncIterable<Buffer>; size: number; close(): Promise<void> }
    /** Devices, pipes, sockets. */
    | { kind: 'special' }
  )

export interface InputTraits {
  /** Relative, `/` as separator, without a `/` at the end. */
  name: string
  /** Permission bits with setuid, setgid and sticky. */
  mode: number
  modified: Date
  uid: number
  gid: number
}

/** Opens one input; several may be opened at a time. */
export type OpenInput = () => Promise<ArchiveInput>

/** In the order of the archive. */
export type ArchiveInputs = Iterable<OpenInput> | AsyncIterable<OpenInput>

/** Inputs that are opened, and compressed if they are small, at a time. */
export const INPUTS_AT_ONCE = 12

/** Files up to this size are read in one go; with `INPUTS_AT_ONCE` it bounds what is held in memory. */
export const SMALL_FILE_BYTES = 512 * 1024

/** Lets go of an input that nobody is going to read. */
export async function closeInput(input: ArchiveInput): Promise<void> {
  if (input.kind === 'stream') await input.close()
}
