import { EXIT_CODES } from '../../../error-catalogue/exit-codes.js'
import { SwitchyardError } from '../../../lib/errors.js'
import { SettingsError } from '../../../runner/client/errors.js'

/** The command cannot be carried out. Each line names one problem to fix. */
export class CommandError extends SwitchyardError {
  readonly name = 'CommandError'
  readonly code = 'COMMAND_FAILED'

  constructor(readonly lines: string[]) {
    super(lines.join('\n'))
  }
}

/** Wraps `work` as an action of commander. Errors are written to standard error, one per line, with the exit code of a failure. */
export function action<Args extends unknown[]>(
  work: (...args: Args) => Promise<void>,
): (...args: Args) => Promise<void> {
  return async (...args) => {
    try {
      await work(...args)
    } catch (error) {
      if (!(error instanceof SwitchyardError)) throw error
      linesOf(error).forEach((line) => process.stderr.write(`${line}\n`))
      process.exitCode = EXIT_CODES.failed.code
    }
  }
}

function linesOf(error: SwitchyardError): string[] {
  if (error instanceof CommandError) return error.lines
  if (error instanceof SettingsError) return error.problems.map((problem) => `${error.source}: ${problem}`)
  return [error.message]
}
