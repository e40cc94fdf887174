import type { Duplex, Writable } from 'node:stream'

import type { FileOwner, JobWorkspace, WorkspaceRequest } from '../workspace/workspace.js'
import type { HelperPlaces } from './helper-places.js'
import type { OutputRecord } from './output-record.js'
import type { ScriptEnd } from './script-end.js'

/**
 * A process beside a job whose files this process does not reach, such as a container in the pod of the job. It does what
 * this process does for other jobs, with the same code:
 *
 *     this process                          helper process
 *     HelperClient ── requests ───────────▶ serveHelper ── BindWorkspace, file stages, OutputFollower
 *                  ◀── log, results ───────
 *
 * Every request can be made again, to a helper process that is started in place of one that was lost. Bytes of sources,
 * caches and artifacts go between the helper process and their servers, not through this process. What jobs need of it
 * besides is a `JobHelper`.
 */
export interface EnvironmentHelper {
  /** Resolves with the user that runs the scripts of the job, when these can begin. */
  ready(signal: AbortSignal): Promise<FileOwner>
  /** As `WorkspaceProvider.open` and `reopen`. */
  openWorkspace(request: WorkspaceRequest, isNew: boolean): Promise<JobWorkspace>
  /**
   * Starts a script with these environment variables, and resolves when it has begun. Does nothing if it has begun before.
   * Commands that `withJobEnvironment` wraps have the variables of the last script that was started.
   */
  startScript(
    script: HelperScript,
    variables: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<void>
  /**
   * Writes the output of a script from its first byte, and resolves when the script has ended and no process of it is
   * left. Undefined if the script did not say how it ended.
   */
  followScript(script: HelperScript, output: Writable, signal: AbortSignal): Promise<ScriptEnd | undefined>
  /** Sends a signal to all processes of the script. Does nothing when it has ended. */
  signalScript(script: HelperScript, name: 'TERM' | 'KILL'): Promise<void>
  /**
   * Ends the helper process and the connection, after the workspace was closed, which it does itself if need be. Does not throw: the
   * workspace throws why it could not be closed.
   */
  close(): Promise<void>
}

/** One run of a script. Plain JSON, because it is kept in the journal. */
export interface HelperScript {
  /** Greater than that of the script before. */
  number: number
  /** Path of the script in the container of the job. */
  path: string
  /** Its directory is that of the number in `HelperPlaces.control`. */
  output: OutputRecord
}

/**
 * Starts a helper process, and resolves with its standard input and output. The process before ends. Waits while the
 * system that runs the job is away. Throws an `ExecutorError` if the job no longer exists there.
 */
export type ConnectHelper = (signal: AbortSignal) => Promise<Duplex>

export interface OpenHelperOptions {
  connect: ConnectHelper
  places: HelperPlaces
  /** Whether what is below `places.builds` outlives the job. */
  areBuildsKept: boolean
  /** Number of cores that may compress files of the job there. Undefined means all. */
  cores?: number | undefined
}

/** Creates the side of the runner. */
export type OpenHelper = (options: OpenHelperOptions) => EnvironmentHelper
