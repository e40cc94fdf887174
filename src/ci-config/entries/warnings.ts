import type { Defaults } from './defaults.js'
import type { JobEntry } from './job.js'

/** What is right by the language and still not what its author may expect. */
export function findWarnings(defaults: Defaults, jobs: readonly JobEntry[]): string[] {
  const warnings: string[] = []
  if (defaults.timeout !== undefined)
    warnings.push('default:timeout has no effect: write timeout in each job')
  if (jobs.some(({ name }) => name === 'pages')) {
    warnings.push(
      'jobs:pages runs as any other job: publishing is not supported by this version of Switchyard',
    )
  }
  return warnings
}
