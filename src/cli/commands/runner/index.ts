import { Command } from 'commander'

import { checkCommand } from './check.js'
import { describeOption, optionTerm } from './describe-option.js'
import { drainCommand } from './drain.js'
import { holdsCommand } from './holds.js'
import { jobsCommand } from './jobs.js'
import { lintCommand } from './lint.js'
import { listCommand } from './list.js'
import { loggingOptions } from './logging.js'
import { pauseCommand } from './pause.js'
import { registerCommand } from './register.js'
import { resetTokenCommand } from './reset-token.js'
import { resumeCommand } from './resume.js'
import { runSingleCommand } from './run-single.js'
import { runCommand } from './run.js'
import { serviceCommands } from './service.js'
import { statusCommand } from './status.js'
import { unregisterCommand } from './unregister.js'
import { verifyCommand } from './verify.js'

/** `switchyard runner …`: the daemon for build machines, and the commands for its settings. */
export function runnerCommand(): Command {
  const command = new Command('runner').description('run jobs on this machine')
  loggingOptions().forEach((option) => command.addOption(option))
  command
    .helpCommand(false)
    .commandsGroup('Registered runners:')
    .addCommand(registerCommand())
    .addCommand(verifyCommand())
    .addCommand(listCommand())
    .addCommand(resetTokenCommand())
    .addCommand(unregisterCommand())
    .addCommand(lintCommand())
    .addCommand(checkCommand())
    .commandsGroup('At work:')
    .addCommand(runCommand())
    .addCommand(statusCommand())
    .addCommand(jobsCommand())
    .addCommand(holdsCommand())
    .addCommand(pauseCommand())
    .addCommand(resumeCommand())
    .addCommand(drainCommand())
    .addCommand(runSingleCommand())
    .commandsGroup('As a service of systemd:')
  for (const each of serviceCommands()) command.addCommand(each)
  for (const each of [command, ...command.commands])
    each.configureHelp({ optionTerm, optionDescription: describeOption })
  return command
}
