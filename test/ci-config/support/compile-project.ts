import { compile } from '../../../src/ci-config/compile.js'
import type { CompileResult, PipelineContext, PlannedJob } from '../../../src/ci-config/plan.js'
import { pushOfMain } from './compile-text.js'
import { NO_CONTEXT_VARIABLES } from './no-context-variables.js'
import { projectSources, SHA, type Surroundings } from './project-sources.js'

const HOME = 'group/project'

/** Compiles `.gitlab-ci.yml` of a project. `files` are its files, `around` the other facts of the project. */
export function compileProject(
  files: Record<string, string>,
  around: Surroundings = {},
  context: Partial<PipelineContext> = {},
): Promise<CompileResult> {
  const sources = projectSources({ ...around, projects: { ...around.projects, [HOME]: files } })
  const origin = { file: '.gitlab-ci.yml', commit: { projectPath: HOME, sha: SHA } }
  return compile(files['.gitlab-ci.yml'], sources, { ...pushOfMain, origin, ...context })
}

/** Jobs by name. */
export async function jobsOf(
  files: Record<string, string>,
  around: Surroundings = {},
  context: Partial<PipelineContext> = {},
): Promise<Record<string, PlannedJob>> {
  const result = await compileProject(files, around, context)
  if (result.kind !== 'plan') throw new Error(`no plan but ${JSON.stringify(result)}`)
  return Object.fromEntries(result.plan.jobs.map((job) => [job.name, job]))
}

/** The reported problems; empty for a valid file. */
export async function problemsOf(
  files: Record<string, string>,
  around: Surroundings = {},
  context: Partial<PipelineContext> = {},
): Promise<string[]> {
  const result = await compileProject(files, around, context)
  return result.kind === 'invalid' ? result.errors : []
}

/** Variables available to includes. */
export function withVariables(
  variables: Record<string, string>,
  masked: Record<string, string> = {},
): Partial<PipelineContext> {
  return {
    variables: {
      ...NO_CONTEXT_VARIABLES,
      predefined: Object.entries(variables).map(([key, value]) => ({ key, value })),
      settings: Object.entries(masked).map(([key, value]) => ({ key, value, masked: true })),
    },
  }
}
