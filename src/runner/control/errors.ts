import { SwitchyardError } from '../../lib/errors.js'

/** Another daemon uses the same data directory. */
export class DataDirInUseError extends SwitchyardError {
  readonly name = 'DataDirInUseError'
  readonly code = 'DATA_DIR_IN_USE'

  constructor(dataDir: string) {
    super(
      `Another runner uses ${dataDir}. Stop it first ("switchyard runner drain"), or give this runner a folder of ` +
        'its own: data_dir in its settings, or SWITCHYARD_RUNNER_DATA_DIR',
    )
  }
}

/** The control socket cannot be created. */
export class ControlSocketError extends SwitchyardError {
  readonly name = 'ControlSocketError'
  readonly code = 'CONTROL_SOCKET'
}

/** No daemon responds at the control socket. */
export class NoDaemonError extends SwitchyardError {
  readonly name = 'NoDaemonError'
  readonly code = 'NO_DAEMON'

  constructor(socket: string, options: ErrorOptions) {
    super(
      `No runner responds at ${socket}. Check that it is running, and that --config is the file it was started with`,
      options,
    )
  }
}

/** The daemon refused the command. */
export class ControlResponseError extends SwitchyardError {
  readonly name = 'ControlResponseError'
  readonly code = 'CONTROL_RESPONSE'
}

/** The file that stores what is paused is invalid. */
export class PauseFileError extends SwitchyardError {
  readonly name = 'PauseFileError'
  readonly code = 'PAUSE_FILE'

  constructor(file: string, options?: ErrorOptions) {
    super(`${file} is invalid. Remove it, and pause the registrations again that must not take jobs`, options)
  }
}
