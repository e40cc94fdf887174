import { Command } from 'commander'

import { createLogger } from '../../lib/logger.js'

interface Options {
  builds: string
  control: string
  git: string
  own: string
}

/** `switchyard runner-helper`: started by a runner in the pod of a job. Not for people. */
export function runnerHelperCommand(): Command {
  return new Command('runner-helper')
    .description('serve a runner beside a job, on standard input and output')
    .requiredOption('--builds <directory>', 'root of the project directories')
    .requiredOption('--control <directory>', 'shared with the container of the job')
    .requiredOption('--git <directory>', "git's own directories, which the job can only read")
    .requiredOption('--own <directory>', 'downloads and archives')
    .action(async ({ builds, control, git, own }: Options) => {
      const { runHelper } = await import('../../runner/helper/server/run-helper.js')
      await runHelper({ builds, control, git, own }, createLogger('runner-helper'))
    })
}
