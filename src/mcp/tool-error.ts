import { SwitchyardError } from '../lib/errors.js'

/** A tool could not do what it was called for. The message is for the program that called it. */
export class ToolError extends SwitchyardError {
  readonly name = 'ToolError'
  readonly code = 'TOOL_FAILED'
}
