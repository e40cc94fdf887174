import type { Readable } from 'node:stream'

/**
 * The second contract of an executor, beside `Executor`: where the files of a job are, and who can read its output. The
 * environment of a job tells by its `files`:
 *
 *                     absent: directories of this machine       present: elsewhere, such as a volume
 *     sources         git prepares them where they are mounted   checked out here, sent by `put`
 *     artifacts       read where they are                        fetched by `get`
 *     output          a file that the executor follows here      the executor reads it where it runs
 *     after the job   kept for the next one (disk cleanup)       removed with the environment
 *
 * Nothing but this tells one from the other: neither the name of the executor nor the address of an engine.
 */

/** A host directory that a container mounts, or a volume. */
export interface Mount {
  /** Undefined means a volume of the job, which its environment creates and removes. */
  hostPath: string | undefined
  containerPath: string
  readOnly: boolean
}

/** A directory for the output of scripts, on the host and as the job sees it. */
export interface OutputDirectory {
  hostPath: string
  containerPath: string
}

/**
 * Access to the files of a job's container while nothing runs in it, for containers that mount no directory of this
 * machine. The first use creates the container. Throws an `ExecutorError` if the engine fails.
 */
export interface ContainerFiles {
  /**
   * Unpacks a tar below `directory`. An existing file of another type at the path of an entry is removed, with
   * everything in it.
   */
  put(directory: string, archive: Readable, signal?: AbortSignal): Promise<void>
  /**
   * A tar of `name` below `directory`. Its entries are named after the last component. No link below `directory` is
   * followed. Returns undefined if `name` does not exist.
   */
  get(directory: string, name: string): Promise<Readable | undefined>
}
