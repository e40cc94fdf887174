import type { Defaults } from './defaults.js'
import type { JobEntry } from './job.js'
import { isPagesJob } from './pages.js'

/** What is right by the language and still not what its author may expect. */
export function findWarnings(defaults: Defaults, jobs: readonly JobEntry[]): string[] {
  const warnings: string[] = []
  if (defaults.timeout !== undefined)
    warnings.push('default:timeout has no effect: write timeout in each job')
  for (const { name, pages } of jobs) {
    if (isPagesJob(name, pages)) {
      warnings.push(
        `jobs:${name} keeps its folder as an artifact: Switchyard does not publish pages, so download it from the job`,
      )
    }
  }
  return warnings
}
