import { compile } from '../../../src/ci-config/compile.js'
import type { CompileResult, PipelineContext, Plan, PlannedJob } from '../../../src/ci-config/plan.js'
import { NO_CONTEXT_VARIABLES } from './no-context-variables.js'
import { projectSources, type Surroundings } from './project-sources.js'

export const pushOfMain: PipelineContext = {
  ref: 'main',
  refType: 'branch',
  source: 'push',
  projectPath: 'group/project',
  variables: NO_CONTEXT_VARIABLES,
}

export const pushOfTag: PipelineContext = { ...pushOfMain, ref: 'v1.2', refType: 'tag' }

export function compileText(
  text: string | undefined,
  context: Partial<PipelineContext> = {},
  around: Surroundings = {},
): Promise<CompileResult> {
  return compile(text, projectSources(around), { ...pushOfMain, ...context })
}

export async function planOf(text: string, context: Partial<PipelineContext> = {}): Promise<Plan> {
  const result = await compileText(text, context)
  if (result.kind !== 'plan') throw new Error(`no plan but ${JSON.stringify(result)}`)
  return result.plan
}

export async function jobOf(
  text: string,
  name: string,
  context: Partial<PipelineContext> = {},
): Promise<PlannedJob> {
  const plan = await planOf(text, context)
  const job = plan.jobs.find((planned) => planned.name === name)
  if (!job) throw new Error(`no job ${name} among ${plan.jobs.map((planned) => planned.name).join(', ')}`)
  return job
}

/** Empty for a valid text. */
export async function errorsOf(
  text: string | undefined,
  context: Partial<PipelineContext> = {},
): Promise<string[]> {
  const result = await compileText(text, context)
  return result.kind === 'invalid' ? result.errors : []
}

/** Names in pipeline order; empty if no pipeline would be created. */
export async function namesOf(text: string, context: Partial<PipelineContext> = {}): Promise<string[]> {
  const result = await compileText(text, context)
  if (result.kind === 'invalid') throw new Error(result.errors.join('\n'))
  return result.kind === 'plan' ? result.plan.jobs.map(({ name }) => name) : []
}

export function variablesOf(job: PlannedJob): Record<string, string> {
  return Object.fromEntries(job.variables.map(({ key, value }) => [key, value]))
}
