import { Command } from 'commander'

import { action } from './action.js'
import { type ControlOptions, jsonOption, printJson, withDaemon } from './control-options.js'
import { configOption } from './options.js'
import { jobsText } from './status-text.js'

export function jobsCommand(): Command {
  return new Command('jobs')
    .description('show the jobs that the running daemon works on')
    .addOption(configOption())
    .addOption(jsonOption())
    .action(action(showJobs))
}

async function showJobs(options: ControlOptions): Promise<void> {
  const { jobs } = await withDaemon(options, (daemon) => daemon.jobs())
  if (options.json) printJson(jobs)
  else process.stdout.write(jobsText(jobs))
}
