import { checkJobs } from './checks/check-jobs.js'
import { type Config, readConfig } from './entries/read-config.js'
import { ConfigError, invalid, type Problem } from './errors.js'
import type { IncludedFile } from './include/include-work.js'
import { loadTree } from './include/load-tree.js'
import type { InputSpec } from './inputs/input-spec.js'
import { limits } from './limits.js'
import type { CompileResult, PipelineContext } from './plan.js'
import { buildPlan } from './planning/build-plan.js'
import { expandParallel } from './planning/expand-parallel.js'
import type { SelectionObserver } from './planning/selection-observer.js'
import { resolveExtends } from './reuse/extends.js'
import { resolveReferences } from './reuse/references.js'
import type { ConfigSources } from './sources.js'
import { didYouMean } from './suggestion.js'
import type { ConfigMap } from './yaml/config-value.js'
import { located } from './yaml/located.js'

/** The results of each step of a compilation; an invalid file ends it early. */
export interface Inspection<R> {
  /** The inputs that the file declares, and the values given for them; absent without a header. */
  inputs?: { specs: readonly InputSpec[]; given: ConfigMap }
  /** Files besides the first, in the order they were read. */
  included: readonly IncludedFile[]
  /** All files merged into one map, with `extends` and `!reference` resolved; absent on failure. */
  merged?: ConfigMap
  /** All jobs of the file, independent of the event; absent if one is invalid. */
  config?: Config
  result: R
}

type Invalid = CompileResult & { kind: 'invalid' }

/** The file itself is valid; no event was evaluated (CI language, 1.1, steps 1 to 10). */
export interface CheckedResult {
  kind: 'checked'
  warnings: string[]
}

/**
 * Compiles the text of a CI file to the jobs of one event; undefined means that the file does not exist.
 * Never rejects because of the content of a file. `sources` resolves everything else that the file
 * references.
 */
export async function compile(
  text: string | undefined,
  sources: ConfigSources,
  context: PipelineContext,
): Promise<CompileResult> {
  const { result } = await inspect(text, sources, context)
  return result
}

/** Like `compile`, but also returns the results of the steps, and reports each decision about a job. */
export async function inspect(
  text: string | undefined,
  sources: ConfigSources,
  context: PipelineContext,
  observer?: SelectionObserver,
): Promise<Inspection<CompileResult>> {
  return keepingSteps(async (steps) => {
    const { config, merged } = await checkedConfig(text, sources, context, steps)
    return located(merged, () => buildPlan(config, context, sources, observer))
  })
}

/** Checks the file without selecting jobs for an event. */
export async function inspectFile(
  text: string | undefined,
  sources: ConfigSources,
  context: PipelineContext,
): Promise<Inspection<CheckedResult | Invalid>> {
  return keepingSteps(async (steps) => {
    const { config } = await checkedConfig(text, sources, context, steps)
    return { kind: 'checked', warnings: config.warnings.map(({ message }) => message) }
  })
}

/** The result for an invalid file; the number of reported problems is limited. */
export function invalidResult(problems: readonly Problem[], warnings: readonly Problem[] = []): Invalid {
  const shown = problems.slice(0, limits.problems)
  const hints = [...warnings, ...shown.slice(0, limits.suggestions).flatMap(hintFor)]
  return {
    kind: 'invalid',
    problems: shown.map(({ suggest: _, ...problem }) => problem),
    errors: shown.map(({ message }) => message),
    warnings: hints.map(({ message }) => message),
    hints,
  }
}

/** Clients parse the messages of problems, so a suggestion is a warning of its own. */
function hintFor({ path, location, suggest }: Problem): Problem[] {
  const message = suggest && didYouMean(suggest)
  return message === undefined ? [] : [{ message, path, ...(location && { location }) }]
}

type Steps = Omit<Inspection<unknown>, 'result'>

/** The steps, and the warnings of the files. */
type Kept = Steps & { warnings: readonly Problem[] }

async function keepingSteps<R>(work: (steps: Kept) => Promise<R>): Promise<Inspection<R | Invalid>> {
  const kept: Kept = { included: [], warnings: [] }
  const steps = (): Steps => {
    const { warnings: _, ...rest } = kept
    return rest
  }
  try {
    const result = await work(kept)
    return { ...steps(), result }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return { ...steps(), result: invalidResult(error.problems, kept.warnings) }
  }
}

/** The steps up to the checks, in order (CI language, 1.1): each uses the results of the earlier ones. */
async function checkedConfig(
  text: string | undefined,
  sources: ConfigSources,
  context: PipelineContext,
  steps: Kept,
): Promise<{ config: Config; merged: ConfigMap }> {
  if (text === undefined) throw invalid('Missing CI config file')
  const { content, included } = await loadTree(
    text,
    sources,
    context,
    (specs, given) => {
      steps.inputs = { specs, given }
    },
    (warnings) => {
      steps.warnings = warnings
    },
  )
  steps.included = included
  const extended = await located(content, () => resolveExtends(content))
  const merged = await located(extended, () => resolveReferences(extended))
  steps.merged = merged
  const config = await located(merged, () => {
    const written = readConfig(merged)
    const { jobs, warnings } = expandParallel(written.jobs)
    checkJobs(jobs, written.stages, merged)
    return { ...written, jobs, warnings: [...steps.warnings, ...written.warnings, ...warnings] }
  })
  steps.config = config
  return { config, merged }
}
