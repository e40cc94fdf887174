import { compile, invalidResult } from '../../ci-config/compile.js'
import { ConfigError } from '../../ci-config/errors.js'
import { findConfig } from '../../ci-config/include/find-config.js'
import type { CompileResult, Plan } from '../../ci-config/plan.js'
import { configSources } from './config-sources.js'
import type { EngineDeps, EngineRepositories } from './engine-deps.js'
import { pipelineContext } from './pipeline-context.js'
import type { PipelineRequest } from './pipeline-request.js'
import { asksToSkip } from './skip-ci.js'
import { unservedKeywords } from './unserved-keywords.js'

type DraftDeps = Pick<EngineDeps, 'database' | 'secrets' | 'repositories' | 'server' | 'outside'>

/** What is to be stored for a request, decided before anything is written. */
export type PipelineDraft =
  | { kind: 'jobs'; plan: Plan }
  | { kind: 'skipped' }
  | { kind: 'invalid'; errors: string; warnings: string[] }
  | { kind: 'refused'; message: string }

/** The checks of a new pipeline in their order (CI language, 9.2), from the variables on. */
export async function draftPipeline(
  deps: DraftDeps,
  request: PipelineRequest,
  isProtected: boolean,
): Promise<PipelineDraft> {
  const { repositories } = deps
  const problem = problemOfVariables(request)
  if (problem !== undefined) return refused(problem)
  if (await isSkipped(repositories, request)) return { kind: 'skipped' }
  const result = await compileFor(deps, request, isProtected)
  return result ? draftFrom(result, request) : refused('Missing CI config file')
}

/** Undefined when the commit has no CI file. */
async function compileFor(
  deps: DraftDeps,
  request: PipelineRequest,
  isProtected: boolean,
): Promise<CompileResult | undefined> {
  const { project, sha } = request
  const sources = configSources(deps, request)
  const commit = { projectPath: project.full_path, sha }
  try {
    const context = await pipelineContext(deps, request, isProtected)
    const found = await findConfig(project.ci_config_path, commit, sources, context)
    return found && (await compile(found.text, sources, { ...context, origin: found.origin }))
  } catch (error) {
    if (error instanceof ConfigError) return invalidResult(error.problems)
    throw error
  }
}

/** Only a push keeps the pipeline of a wrong file; other sources get the answer at once (CI language, 9.1). */
function draftFrom(result: CompileResult, { source }: PipelineRequest): PipelineDraft {
  switch (result.kind) {
    case 'plan':
      return draftFromPlan(result.plan, source)
    case 'filtered':
    case 'empty':
      return refused(result.message)
    case 'invalid':
      return draftOfErrors(result.errors, result.warnings, source)
  }
}

function draftFromPlan(plan: Plan, source: PipelineRequest['source']): PipelineDraft {
  const unserved = unservedKeywords(plan)
  return unserved.length > 0 ? draftOfErrors(unserved, plan.warnings, source) : { kind: 'jobs', plan }
}

function draftOfErrors(
  problems: string[],
  warnings: string[],
  source: PipelineRequest['source'],
): PipelineDraft {
  const errors = problems.join('\n')
  return source === 'push' ? { kind: 'invalid', errors, warnings } : refused(errors)
}

function refused(message: string): PipelineDraft {
  return { kind: 'refused', message }
}

/** Commit messages are obeyed for pushes only (CI language, 9.1 and 9.3). */
async function isSkipped(repositories: EngineRepositories, request: PipelineRequest): Promise<boolean> {
  if (request.skip) return true
  if (request.source !== 'push') return false
  const commit = await repositories.readCommit(request.project.id, request.sha)
  return asksToSkip(commit.message)
}

function problemOfVariables({ variables = [], maySetVariables = true }: PipelineRequest): string | undefined {
  if (variables.length === 0) return undefined
  if (!maySetVariables) return 'Insufficient permissions to set pipeline variables'
  const keys = variables.map(({ key }) => key)
  const wrong = keys.filter((key) => !/^[a-zA-Z0-9_]{1,255}$/.test(key))
  if (wrong.length > 0) {
    return `Variable names can contain only letters, digits and '_', 255 at most: ${wrong.join(', ')}`
  }
  const seen = new Set<string>()
  const duplicates = new Set(keys.filter((key) => seen.size === seen.add(key).size))
  return duplicates.size > 0 ? `Duplicate variable name(s): ${[...duplicates].join(', ')}` : undefined
}
