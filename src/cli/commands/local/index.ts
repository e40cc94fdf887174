import { availableParallelism } from 'node:os'

import { Command, InvalidArgumentError } from 'commander'

import { DEFAULT_CONFIG_PATH } from '../../../ci-config/include/find-config.js'
import { EXIT_CODES } from '../../../error-catalogue/exit-codes.js'
import { JobAddressError } from '../../job-in-url.js'
import { inputOption, variableOption } from '../../variable-option.js'
import { withOutsideOptions } from '../../working-directory/outside/outside-flags.js'
import { LocalUsageError } from './errors.js'
import { ReproductionError } from './from-job/errors.js'
import type { LocalOptions } from './local-options.js'
import { local } from './local.js'

/** `switchyard local [JOB…]`: runs the pipeline of the working directory without a server. */
export function localCommand(): Command {
  const command = new Command('local')
    .description(
      'Run the pipeline of the working directory in Docker, including uncommitted changes; exit status 1 on a failure',
    )
    .argument('[job...]', 'the jobs to run; by default all except manual ones')
    .option('-f, --file <file>', `the CI file (default: ${DEFAULT_CONFIG_PATH} of the repository)`)
    .option('--from <url>', 'run a job of a server here: the address of its page')
    .option('--list', 'list the jobs by stage without running them')
    .option('--needs', 'also run the jobs that must end before the named jobs')
    .addOption(variableOption())
    .addOption(inputOption())
    .option(
      '--secret <KEY[=VALUE]>',
      'a variable whose value is masked in logs; without =VALUE, it is taken from the environment',
      collectSecret,
    )
    .option('--ref <name>', 'branch or tag of the pipeline (default: the one that is checked out)')
    .option('--source <source>', 'source of the pipeline: push, web, api, schedule, …', 'push')
    .option(
      '--concurrency <jobs>',
      'maximum number of concurrent jobs',
      readConcurrency,
      availableParallelism(),
    )
    .option('--image <image>', 'image for jobs that name none', 'alpine:latest')
    .option('--privileged', 'run containers in privileged mode, for Docker in Docker')
    .option('--pull', 'check the registry for newer images, even if they exist locally')
    .option('--artifacts <dir>', 'put the artifacts of each job into a folder with its name below this one')
    .option('--verbose', 'also show the output of the runner before and after the scripts')
    .option('--cache-dir <dir>', 'folder for caches (default: switchyard/local in the cache directory)')
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : EXIT_CODES.usage.code))
  return withOutsideOptions(command).action(
    async (jobs: string[], { secret = new Map(), ...options }: GivenOptions) => {
      process.exitCode = await runAndReport(jobs, { ...options, secret })
    },
  )
}

/** `secret` has no default, which the help would show. */
type GivenOptions = Omit<LocalOptions, 'secret'> & Partial<Pick<LocalOptions, 'secret'>>

async function runAndReport(jobs: string[], options: LocalOptions): Promise<number> {
  try {
    return await local(jobs, options)
  } catch (error) {
    if (error instanceof ReproductionError || error instanceof JobAddressError) {
      console.error(`switchyard: ${error.message}`)
      return EXIT_CODES.failed.code
    }
    if (!(error instanceof LocalUsageError)) throw error
    console.error(`switchyard: ${error.message}`)
    return EXIT_CODES.usage.code
  }
}

function collectSecret(given: string, before: ReadonlyMap<string, string> = new Map()): Map<string, string> {
  const [, key = '', written] = /^([A-Za-z_]\w*)(?:=(.*))?$/s.exec(given) ?? []
  if (key === '') throw new InvalidArgumentError('A secret must have the form KEY=VALUE, or KEY.')
  const value = written ?? process.env[key]
  if (value === undefined) throw new InvalidArgumentError(`The environment has no variable ${key}.`)
  return new Map([...before, [key, value]])
}

function readConcurrency(given: string): number {
  const jobs = Number(given)
  if (!Number.isInteger(jobs) || jobs < 1)
    throw new InvalidArgumentError('It must be a number of at least 1.')
  return jobs
}
