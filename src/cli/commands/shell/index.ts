import { Command } from 'commander'

import { EXIT_CODES } from '../../../error-catalogue/exit-codes.js'
import { SwitchyardError } from '../../../lib/errors.js'
import { openShell, type ShellOptions } from './open-shell.js'

/** `switchyard shell URL [-- COMMAND…]`: a shell in the container of a held or running job. */
export function shellCommand(): Command {
  return new Command('shell')
    .description('Open a shell in a held or running job, or run a command there; exits as the shell does')
    .argument('<url>', 'page of the job, such as https://switchyard.example.com/group/app/-/jobs/42')
    .argument('[command...]', 'command and arguments, after --')
    .option('--token <token>', 'personal access token with the scope api (default: SWITCHYARD_TOKEN)')
    .option('--stdin', 'pass standard input to the command')
    .action(async (url: string, command: string[], options: ShellOptions) => {
      try {
        process.exitCode = await openShell(url, command, options)
      } catch (error) {
        if (!(error instanceof SwitchyardError)) throw error
        process.stderr.write(`switchyard: ${error.message}\n`)
        process.exitCode = EXIT_CODES.failed.code
      }
    })
}
