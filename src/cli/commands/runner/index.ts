import { Command } from 'commander'

import { drainCommand } from './drain.js'
import { jobsCommand } from './jobs.js'
import { listCommand } from './list.js'
import { pauseCommand } from './pause.js'
import { registerCommand } from './register.js'
import { resumeCommand } from './resume.js'
import { runCommand } from './run.js'
import { statusCommand } from './status.js'
import { unregisterCommand } from './unregister.js'
import { verifyCommand } from './verify.js'

/** `switchyard runner …`: the daemon of build machines, and what makes and keeps its settings. */
export function runnerCommand(): Command {
  return new Command('runner')
    .description('run jobs on this machine')
    .addCommand(registerCommand())
    .addCommand(verifyCommand())
    .addCommand(listCommand())
    .addCommand(unregisterCommand())
    .addCommand(runCommand())
    .addCommand(statusCommand())
    .addCommand(jobsCommand())
    .addCommand(pauseCommand())
    .addCommand(resumeCommand())
    .addCommand(drainCommand())
}
