import { availableParallelism } from 'node:os'

import { Command, InvalidArgumentError } from 'commander'

import { DEFAULT_CONFIG_PATH } from '../../../ci-config/include/find-config.js'
import { inputOption, variableOption } from '../../variable-option.js'
import { LocalUsageError } from './errors.js'
import { local, type LocalOptions } from './local.js'

const USAGE = 2

/** `switchyard local [JOB…]`: the pipeline of the working directory, without a server. */
export function localCommand(): Command {
  return new Command('local')
    .description(
      'Run the pipeline of the working directory in Docker, what is not committed included; exit status 1 on a failure',
    )
    .argument('[job...]', 'the jobs to run; all when none is named, but for manual ones')
    .option('-f, --file <file>', `the CI file (default: ${DEFAULT_CONFIG_PATH} of the repository)`)
    .option('--list', 'list the jobs below their stages, and run nothing')
    .option('--needs', 'also run what has to end before the named jobs')
    .addOption(variableOption())
    .addOption(inputOption())
    .option(
      '--secret <KEY[=VALUE]>',
      'a variable whose value is masked in logs; taken from the environment without =VALUE',
      collectSecret,
      new Map<string, string>(),
    )
    .option('--ref <name>', 'branch or tag that the pipeline is for (default: what is checked out)')
    .option('--source <source>', 'what causes it: push, web, api, schedule, …', 'push')
    .option('--concurrency <jobs>', 'jobs at a time', readConcurrency, availableParallelism())
    .option('--image <image>', 'for jobs that name no image', 'alpine:latest')
    .option('--privileged', 'run containers in privileged mode, for Docker in Docker')
    .option('--pull', 'look for newer images at their registry, also for those that are here')
    .option('--artifacts <dir>', 'put the artifacts of each job into a folder of its name below this one')
    .option('--verbose', 'also show what the runner does before and after the scripts')
    .option('--cache-dir <dir>', 'where caches are kept (default: switchyard/local in the cache directory)')
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : USAGE))
    .action(async (jobs: string[], options: LocalOptions) => {
      process.exitCode = await exitCodeOf(jobs, options)
    })
}

async function exitCodeOf(jobs: string[], options: LocalOptions): Promise<number> {
  try {
    return await local(jobs, options)
  } catch (error) {
    if (!(error instanceof LocalUsageError)) throw error
    console.error(`switchyard: ${error.message}`)
    return USAGE
  }
}

function collectSecret(given: string, before: ReadonlyMap<string, string>): Map<string, string> {
  const [, key = '', written] = /^([A-Za-z_]\w*)(?:=(.*))?$/s.exec(given) ?? []
  if (key === '') throw new InvalidArgumentError('A secret is given as KEY=VALUE, or as KEY.')
  const value = written ?? process.env[key]
  if (value === undefined) throw new InvalidArgumentError(`The environment has no ${key}.`)
  return new Map([...before, [key, value]])
}

function readConcurrency(given: string): number {
  const jobs = Number(given)
  if (!Number.isInteger(jobs) || jobs < 1) throw new InvalidArgumentError('It is a number, 1 at least.')
  return jobs
}
