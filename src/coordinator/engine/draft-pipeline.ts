import { compile } from '../../ci-config/compile.js'
import type { CompileResult, Plan, ReadFile } from '../../ci-config/plan.js'
import { ObjectTooLargeError } from '../../git/errors.js'
import type { EngineRepositories } from './engine-deps.js'
import { pipelineContext } from './pipeline-context.js'
import type { PipelineRequest } from './pipeline-request.js'
import { asksToSkip } from './skip-ci.js'

const DEFAULT_CONFIG_PATH = '.gitlab-ci.yml'
const TOO_LARGE = Symbol('larger than a file that is read')

/** What is to be stored for a request, decided before anything is written. */
export type PipelineDraft =
  | { kind: 'jobs'; plan: Plan }
  | { kind: 'skipped' }
  | { kind: 'invalid'; errors: string; warnings: string[] }
  | { kind: 'refused'; message: string }

/** The checks of a new pipeline in their order (CI language, 9.2), from the variables on. */
export async function draftPipeline(
  repositories: EngineRepositories,
  request: PipelineRequest,
  isProtected: boolean,
): Promise<PipelineDraft> {
  const duplicates = duplicateKeys(request)
  if (duplicates.length > 0) return refused(`Duplicate variable name(s): ${duplicates.join(', ')}`)
  if (await isSkipped(repositories, request)) return { kind: 'skipped' }
  const readFile = (path: string): Promise<string | undefined> =>
    repositories.readFile(request.project.id, request.sha, path)
  const text = await readConfig(readFile, request.project.ci_config_path ?? DEFAULT_CONFIG_PATH)
  switch (text) {
    case undefined:
      return refused('Missing CI config file')
    case TOO_LARGE:
      return draftFrom({ kind: 'invalid', errors: ['The provided YAML is too big'], warnings: [] }, request)
    default:
      return draftFrom(await compile(text, readFile, pipelineContext(request, isProtected)), request)
  }
}

/** A file that is too large to be read is a wrong file, not a failure of the coordinator (CI language, 1.2). */
async function readConfig(readFile: ReadFile, path: string): Promise<string | typeof TOO_LARGE | undefined> {
  try {
    return await readFile(path)
  } catch (error) {
    if (error instanceof ObjectTooLargeError) return TOO_LARGE
    throw error
  }
}

/** Only a push keeps the pipeline of a wrong file; other sources get the answer at once (CI language, 9.1). */
function draftFrom(result: CompileResult, { source }: PipelineRequest): PipelineDraft {
  switch (result.kind) {
    case 'plan':
      return { kind: 'jobs', plan: result.plan }
    case 'empty':
      return refused(result.message)
    case 'invalid': {
      const errors = result.errors.join('\n')
      return source === 'push' ? { kind: 'invalid', errors, warnings: result.warnings } : refused(errors)
    }
  }
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

function duplicateKeys({ variables = [] }: PipelineRequest): string[] {
  const keys = variables.map(({ key }) => key)
  return [...new Set(keys.filter((key, index) => keys.indexOf(key) !== index))]
}
