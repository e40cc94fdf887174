import { SwitchyardError } from '../../../lib/errors.js'
import { SettingsError } from '../../../runner/client/errors.js'

/** The command cannot do what it was asked to; each line is one thing to put right. */
export class CommandError extends SwitchyardError {
  readonly name = 'CommandError'
  readonly code = 'COMMAND_FAILED'

  constructor(readonly lines: string[]) {
    super(lines.join('\n'))
  }
}

/** Makes an action of commander out of `work`: what is wrong goes to standard error, a line each, with exit code 1. */
export function action<Args extends unknown[]>(
  work: (...args: Args) => Promise<void>,
): (...args: Args) => Promise<void> {
  return async (...args) => {
    try {
      await work(...args)
    } catch (error) {
      if (!(error instanceof SwitchyardError)) throw error
      linesOf(error).forEach((line) => process.stderr.write(`${line}\n`))
      process.exitCode = 1
    }
  }
}

function linesOf(error: SwitchyardError): string[] {
  if (error instanceof CommandError) return error.lines
  if (error instanceof SettingsError) return error.problems.map((problem) => `${error.source}: ${problem}`)
  return [error.message]
}
