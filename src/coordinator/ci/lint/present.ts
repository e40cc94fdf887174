import { stageOf } from '../../../ci-config/checks/check-jobs.js'
import { type JobEntry, writtenName } from '../../../ci-config/entries/job.js'
import type { Config } from '../../../ci-config/entries/read-config.js'
import type { Problem } from '../../../ci-config/errors.js'
import type { IncludedFile } from '../../../ci-config/include/include-work.js'
import { limits } from '../../../ci-config/limits.js'
import type { PlannedJob } from '../../../ci-config/plan.js'
import { effective } from '../../../ci-config/planning/effective.js'
import type { RepositoryFile } from '../../../ci-config/sources.js'
import { dataOf } from '../../../ci-config/yaml/config-data.js'
import { type ConfigMap, isMap } from '../../../ci-config/yaml/config-value.js'
import { withLocation } from '../../../ci-config/yaml/located.js'
import { printYaml } from '../../../ci-config/yaml/print-yaml.js'
import type { LintInspection } from '../engine/create/lint-config.js'
import { presentExplanation } from './present-explanation.js'
import type { LintedInclude, LintedJob, LintProblem, LintReport, TextReport } from './schema.js'

/** `externalUrl` without a trailing slash. */
export function presentLint(
  inspection: LintInspection,
  { externalUrl, includeJobs }: { externalUrl: string; includeJobs: boolean },
): LintReport {
  const { merged, included, result } = inspection
  const errors = errorsOf(result)
  return {
    valid: errors.length === 0,
    errors,
    warnings: warningsOf(result),
    problems: [...errorProblems(result), ...warningProblems(inspection)],
    merged_yaml: merged ? printYaml(merged) : null,
    includes: included.map((file) => presentInclude(file, externalUrl)),
    ...(includeJobs && { jobs: jobsOf(inspection) }),
    ...(inspection.explanation && { event: presentExplanation(inspection, inspection.explanation) }),
  }
}

function presentInclude({ form, file, place, includedBy }: IncludedFile, externalUrl: string): LintedInclude {
  return {
    type: form === 'project' ? 'file' : form,
    location: file,
    blob: place ? pageOf(place, externalUrl) : null,
    raw: place ? rawFileUrl(place, externalUrl) : form === 'remote' ? file : null,
    extra: {},
    context_project: includedBy?.projectPath ?? null,
    context_sha: includedBy?.sha ?? null,
  }
}

function pageOf({ commit, path }: RepositoryFile, externalUrl: string): string {
  const encoded = path.split('/').map(encodeURIComponent).join('/')
  return `${externalUrl}/${commit.projectPath}/-/blob/${commit.sha}/${encoded}`
}

function rawFileUrl({ commit, path }: RepositoryFile, externalUrl: string): string {
  const files = `${externalUrl}/api/v4/projects/${encodeURIComponent(commit.projectPath)}/repository/files`
  return `${files}/${encodeURIComponent(path)}/raw?ref=${commit.sha}`
}

export function presentText(
  inspection: LintInspection,
  wanted: { include_merged_yaml: boolean; include_jobs: boolean },
): TextReport {
  const { merged, result } = inspection
  const errors = errorsOf(result)
  return {
    status: errors.length === 0 ? 'valid' : 'invalid',
    errors,
    warnings: warningsOf(result),
    ...(wanted.include_merged_yaml && { merged_yaml: merged ? printYaml(merged) : null }),
    ...(wanted.include_jobs && { jobs: jobsOf(inspection) }),
  }
}

/** A dry run is invalid for its event if it yields no pipeline or a refused one. */
export function errorsOf(result: LintInspection['result']): string[] {
  switch (result.kind) {
    case 'invalid':
      return result.errors
    case 'filtered':
    case 'empty':
      return [result.message]
    case 'plan':
    case 'checked':
      return []
  }
}

export function warningsOf(result: LintInspection['result']): string[] {
  if (result.kind === 'plan') return result.plan.warnings
  return result.kind === 'invalid' || result.kind === 'checked' ? result.warnings : []
}

function errorProblems(result: LintInspection['result']): LintProblem[] {
  if (result.kind === 'invalid') return result.problems.map((problem) => presentProblem(problem, 'error'))
  return errorsOf(result).map((message) => presentProblem({ message, path: [] }, 'error'))
}

function warningProblems({ config, merged, result }: LintInspection): LintProblem[] {
  const hints = result.kind === 'invalid' ? result.hints : []
  const warnings = (config?.warnings ?? hints).slice(0, limits.problems)
  return warnings.map((warning) =>
    presentProblem(merged ? withLocation(merged, warning) : warning, 'warning'),
  )
}

function presentProblem(
  { message, path, location }: Problem,
  severity: LintProblem['severity'],
): LintProblem {
  const { file = null, line = null, column = null } = location ?? {}
  return { message, severity, path: [...path], file, line, column }
}

function jobsOf({ config, merged, result }: LintInspection): LintedJob[] {
  if (!config || !merged) return []
  if (result.kind === 'checked') {
    return config.jobs.map((job) => ({ ...written(job, config), ...refPolicies(job, config, merged) }))
  }
  if (result.kind !== 'plan') return []
  const entries = new Map(config.jobs.map((job) => [job.name, job]))
  return result.plan.jobs.flatMap((planned) => {
    const entry = entries.get(planned.name)
    return entry ? [{ ...written(entry, config), ...decided(planned) }] : []
  })
}

function written(job: JobEntry, { defaults }: Config): LintedJob {
  const when = job.when ?? 'on_success'
  return {
    name: job.name,
    stage: stageOf(job),
    before_script: effective(job, defaults, 'before_script') ?? [],
    script: job.script ?? [],
    after_script: effective(job, defaults, 'after_script') ?? [],
    tag_list: effective(job, defaults, 'tags') ?? [],
    environment: job.environment?.name ?? null,
    when,
    allow_failure: job.allow_failure === undefined ? when === 'manual' : job.allow_failure === true,
    needs: job.needs?.map(({ name, artifacts, optional }) => ({ name, artifacts, optional })) ?? null,
    ...(job.inputs?.length && {
      inputs: job.inputs.map(({ name, type, text }) => ({ name, type, default: text })),
    }),
  }
}

/** The fields that the rules of the event have set. */
function decided(planned: PlannedJob): Partial<LintedJob> {
  return {
    tag_list: planned.tags,
    environment: planned.environment?.name ?? null,
    when: planned.when,
    allow_failure: planned.allowFailure,
    needs: planned.schedulingType === 'dag' ? planned.needs : null,
  }
}

const EVERY_PUSH = { refs: ['branches', 'tags'] }

/** A job without `rules`, `only` or `except` runs for branches and tags (CI language, 7.7). */
function refPolicies(
  job: JobEntry,
  { workflow }: Config,
  merged: ConfigMap,
): Pick<LintedJob, 'only' | 'except'> {
  const map = merged.get(writtenName(job))
  const policy = (key: string) => {
    const value = isMap(map) ? (map.get(key) ?? null) : null
    return Array.isArray(value) ? { refs: dataOf(value) } : dataOf(value)
  }
  const isRuled = job.rules !== undefined || workflow.rules !== undefined
  return { only: policy('only') ?? (isRuled ? null : EVERY_PUSH), except: policy('except') }
}
