import { SwitchyardError } from '../../lib/errors.js'

/** Another daemon works with the same data directory. */
export class DataDirInUseError extends SwitchyardError {
  readonly name = 'DataDirInUseError'
  readonly code = 'DATA_DIR_IN_USE'

  constructor(dataDir: string) {
    super(
      `Another runner works with ${dataDir}. Stop it first ("switchyard runner drain"), or give this one a folder of ` +
        'its own: data_dir in its settings, or SWITCHYARD_RUNNER_DATA_DIR',
    )
  }
}

/** The control socket cannot be made. */
export class ControlSocketError extends SwitchyardError {
  readonly name = 'ControlSocketError'
  readonly code = 'CONTROL_SOCKET'
}

/** No daemon answers at the control socket. */
export class NoDaemonError extends SwitchyardError {
  readonly name = 'NoDaemonError'
  readonly code = 'NO_DAEMON'

  constructor(socket: string, options: ErrorOptions) {
    super(
      `No runner answers at ${socket}. Is it running, and is this the --config it was started with?`,
      options,
    )
  }
}

/** The daemon did not do what it was asked for. */
export class ControlAnswerError extends SwitchyardError {
  readonly name = 'ControlAnswerError'
  readonly code = 'CONTROL_ANSWER'
}

/** The file that remembers what is paused holds something else. */
export class PauseFileError extends SwitchyardError {
  readonly name = 'PauseFileError'
  readonly code = 'PAUSE_FILE'

  constructor(file: string, options?: ErrorOptions) {
    super(`${file} does not say what is paused. Remove it, and pause again what is not to take jobs`, options)
  }
}
