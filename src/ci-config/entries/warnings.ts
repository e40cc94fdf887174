import { REPLACED_REASONS } from '../../protocol/failure-reason.js'
import type { Problem } from '../errors.js'
import type { Defaults } from './defaults.js'
import { type JobEntry, writtenName } from './job.js'
import { isPagesJob } from './pages.js'
import type { Rule } from './rules.js'
import type { Workflow } from './workflow.js'

/** Valid settings that may not do what the author expects. */
export function findWarnings(defaults: Defaults, workflow: Workflow, jobs: readonly JobEntry[]): Problem[] {
  const warnings: Problem[] = []
  if (defaults.timeout !== undefined) {
    const message = 'default:timeout has no effect: write timeout in each job'
    warnings.push({ message, path: ['default', 'timeout'] })
  }
  for (const job of jobs) {
    const { name, pages, dast_configuration: dast } = job
    if (dast) {
      const message =
        `jobs:${name}:dast_configuration has no effect: Switchyard does not store scanner profiles, ` +
        'so set the scanner options as variables of the job'
      warnings.push({ message, path: [writtenName(job), 'dast_configuration'] })
    }
    if (isPagesJob(name, pages)) {
      const message = `jobs:${name} stores its folder as an artifact: Switchyard does not publish pages, so download it from the job`
      warnings.push({ message, path: [writtenName(job)] })
    }
  }
  return [
    ...warnings,
    ...replacedReasons(defaults, jobs),
    ...ignoredInWorkflow(workflow),
    ...severalPipelines(workflow, jobs),
  ]
}

/** `retry:when` with reasons that more exact ones have replaced. */
function replacedReasons(defaults: Defaults, jobs: readonly JobEntry[]): Problem[] {
  const retries = [
    { at: 'default', path: ['default'], retry: defaults.retry },
    ...jobs.map((job) => ({ at: `jobs:${job.name}`, path: [writtenName(job)], retry: job.retry })),
  ]
  return retries.flatMap(({ at, path, retry }) => {
    const old = (retry?.when ?? []).filter((reason) => reason in REPLACED_REASONS)
    if (old.length === 0) return []
    const newer = old.flatMap((reason) => REPLACED_REASONS[reason] ?? [])
    const message =
      `${at}:retry contains deprecated \`when\` value(s): ${old.join(', ')}. ` +
      `Use the more exact reasons instead: ${newer.join(', ')}`
    return [{ message, path: [...path, 'retry', 'when'] }]
  })
}

function ignoredInWorkflow({ rules = [] }: Workflow): Problem[] {
  const keys = new Set(rules.flatMap(({ ignored }) => ignored))
  return [...keys].map((key) => ({
    message: `workflow:rules:rule ${key} has no effect: it is only valid in job rules`,
    path: ['workflow', 'rules'],
  }))
}

/** A push to a branch with a merge request may start two pipelines that both have the job (CI language, 1.5). */
function severalPipelines(workflow: Workflow, jobs: readonly JobEntry[]): Problem[] {
  if (workflow.rules) return []
  return jobs
    .filter(({ rules }) => isAlways(rules?.at(-1)))
    .map((job) => ({
      message:
        `jobs:${job.name} may allow multiple pipelines to run for a single action due to \`rules:when\` clause ` +
        'with no `workflow:rules`',
      path: [writtenName(job), 'rules'],
    }))
}

/** Whether the rule sets `when` and nothing else. */
function isAlways(rule: Rule | undefined): boolean {
  return rule?.when !== undefined && rule.when !== 'never' && Object.keys(rule).length === 1
}
