import { Command } from 'commander'

import { lintCommand } from './lint.js'
import { listCommand } from './list.js'
import { registerCommand } from './register.js'
import { resetTokenCommand } from './reset-token.js'
import { runCommand } from './run.js'
import { unregisterCommand } from './unregister.js'
import { verifyCommand } from './verify.js'

/** `switchyard runner …`: the daemon of build machines, and what makes and keeps its settings. */
export function runnerCommand(): Command {
  return new Command('runner')
    .description('run jobs on this machine')
    .commandsGroup('Registered runners:')
    .addCommand(registerCommand())
    .addCommand(verifyCommand())
    .addCommand(listCommand())
    .addCommand(resetTokenCommand())
    .addCommand(unregisterCommand())
    .addCommand(lintCommand())
    .commandsGroup('At work:')
    .addCommand(runCommand())
}
