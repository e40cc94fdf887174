import { checkJobs } from './checks/check-jobs.js'
import { readConfig } from './entries/read-config.js'
import { ConfigError, invalid } from './errors.js'
import { limits } from './limits.js'
import type { CompileResult, PipelineContext, ReadFile } from './plan.js'
import { buildPlan } from './planning/build-plan.js'
import { resolveExtends } from './reuse/extends.js'
import { refuseReferences } from './reuse/references.js'
import { standalone } from './reuse/standalone.js'
import { loadConfig } from './yaml/load-config.js'

/**
 * From the text of a CI file to the jobs of one event; undefined text is a file that is not there. Never rejects for what
 * a file says. `readFile` gives the other files of the commit to `include`, which this version refuses, so it is not
 * called yet; that step is also why the answer is a promise.
 */
export function compile(
  text: string | undefined,
  _readFile: ReadFile,
  context: PipelineContext,
): Promise<CompileResult> {
  return Promise.resolve(text).then((found) => compileText(found, context))
}

function compileText(text: string | undefined, context: PipelineContext): CompileResult {
  try {
    return planFor(text, context)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return { kind: 'invalid', errors: error.problems.slice(0, limits.problems), warnings: [] }
  }
}

/** The steps in the order of the CI language, 1.1: each sees what the ones before it left. */
function planFor(text: string | undefined, context: PipelineContext): CompileResult {
  if (text === undefined) throw invalid('Missing CI config file')
  const written = standalone(loadConfig(text))
  refuseReferences(written)
  const config = readConfig(resolveExtends(written))
  checkJobs(config.jobs, config.stages)
  return buildPlan(config, context)
}
