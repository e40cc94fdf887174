import { checkJobs } from './checks/check-jobs.js'
import { readConfig } from './entries/read-config.js'
import { ConfigError, invalid, type Problem } from './errors.js'
import { loadTree } from './include/load-tree.js'
import { limits } from './limits.js'
import type { CompileResult, PipelineContext } from './plan.js'
import { buildPlan } from './planning/build-plan.js'
import { expandParallel } from './planning/expand-parallel.js'
import { resolveExtends } from './reuse/extends.js'
import { substituteJobInputs } from './reuse/job-inputs.js'
import { resolveReferences } from './reuse/references.js'
import type { ConfigSources } from './sources.js'
import { located } from './yaml/located.js'

/**
 * From the text of a CI file to the jobs of one event; undefined text is a file that is not there. Never rejects for what
 * a file says. `sources` answers for everything else that the file names.
 */
export async function compile(
  text: string | undefined,
  sources: ConfigSources,
  context: PipelineContext,
): Promise<CompileResult> {
  try {
    return await planFor(text, sources, context)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return invalidResult(error.problems)
  }
}

/** The result of a file that is wrong; whoever has very many problems starts with the first. */
export function invalidResult(problems: readonly Problem[]): CompileResult & { kind: 'invalid' } {
  const told = problems.slice(0, limits.problems)
  return { kind: 'invalid', problems: told, errors: told.map(({ message }) => message), warnings: [] }
}

/** The steps in the order of the CI language, 1.1: each sees what the ones before it left. */
async function planFor(
  text: string | undefined,
  sources: ConfigSources,
  context: PipelineContext,
): Promise<CompileResult> {
  if (text === undefined) throw invalid('Missing CI config file')
  const { content } = await loadTree(text, sources, context)
  const extended = await located(content, () => resolveExtends(content))
  const complete = await located(extended, () => resolveReferences(extended))
  return located(complete, () => {
    const written = readConfig(substituteJobInputs(complete))
    const { jobs, warnings } = expandParallel(written.jobs)
    const config = { ...written, jobs, warnings: [...written.warnings, ...warnings] }
    checkJobs(config.jobs, config.stages)
    return buildPlan(config, context, sources)
  })
}
