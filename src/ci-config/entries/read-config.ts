import { ConfigError, type Problem } from '../errors.js'
import type { PlannedVariable } from '../plan.js'
import type { ConfigMap, ConfigValue } from '../yaml/config-value.js'
import { DEFAULT_KEYWORDS, type Defaults, readDefaults } from './defaults.js'
import type { JobEntry } from './job.js'
import { looksLikeJob, readJobs } from './jobs.js'
import { Location } from './location.js'
import { readKeywords } from './reader.js'
import { DEFAULT_STAGES, readStages } from './stages.js'
import { readTopVariables } from './variables.js'
import { findWarnings } from './warnings.js'
import { readWorkflow, type Workflow } from './workflow.js'

/** A complete file in which every keyword is read and valid by itself. */
export interface Config {
  stages: readonly string[]
  defaults: Defaults
  variables: PlannedVariable[]
  workflow: Workflow
  jobs: JobEntry[]
  /** Valid settings that may not do what the author expects; without locations. */
  warnings: Problem[]
}

export const topReaders = { variables: readTopVariables, stages: readStages, workflow: readWorkflow }

const KEYWORDS: ReadonlySet<string> = new Set([...DEFAULT_KEYWORDS, ...Object.keys(topReaders), 'include'])

/** Top-level keywords unless their value is a job. */
const KEYWORDS_OR_JOBS: ReadonlySet<string> = new Set(['default', 'workflow'])

/** Reads the merged configuration. Throws `ConfigError` with every problem found. */
export function readConfig(root: ConfigMap): Config {
  const problems: Problem[] = []
  const { keywords, jobs: writtenJobs } = split(root)
  const defaults = readDefaults(keywords, problems)
  const top = readKeywords(topReaders, keywords, (key) => Location.top(key, problems))
  const jobs = readJobs(writtenJobs, problems, KEYWORDS)
  if (problems.length > 0) throw new ConfigError(problems)
  const { workflow = {} } = top
  return {
    stages: top.stages ?? DEFAULT_STAGES,
    defaults,
    variables: top.variables ?? [],
    workflow,
    jobs,
    warnings: findWarnings(defaults, workflow, jobs),
  }
}

/** Every key that is no keyword is a job (CI language, 2.1). */
function split(root: ConfigMap): { keywords: ConfigMap; jobs: ConfigMap } {
  const keywords = new Map<string, ConfigValue>()
  const jobs = new Map<string, ConfigValue>()
  for (const [key, value] of root) {
    const isKeyword = KEYWORDS.has(key) && !(KEYWORDS_OR_JOBS.has(key) && looksLikeJob(value))
    ;(isKeyword ? keywords : jobs).set(key, value)
  }
  return { keywords, jobs }
}
