import { Command, Option } from 'commander'

import type { UpOptions } from './run-up.js'

/** `switchyard up`: coordinator and runner in one process, on one machine. Exits with the result of `runUp`. */
export function upCommand(): Command {
  return new Command('up')
    .description('Start a coordinator and a runner on this machine, run a sample pipeline, and keep serving')
    .option('--listen <address:port>', 'address of the coordinator (default: 127.0.0.1:8929)')
    .option('--data-dir <folder>', 'folder for all data (default: .switchyard in the current folder)')
    .option('--sample', 'run the sample pipeline again even if it has run before', false)
    .option('--once', 'run the sample pipeline and stop; exit code 0 only if it passed', false)
    .option('--json', 'end standard output with one line of JSON about the sample pipeline', false)
    .addOption(
      new Option('--log-level <level>', 'log level of the two daemons, on standard error (default: warn)'),
    )
    .action(async (options: UpOptions) => {
      const { runUp } = await import('./run-up.js')
      process.exitCode = await runUp(options)
    })
}
