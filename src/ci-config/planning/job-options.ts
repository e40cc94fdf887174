import type { Defaults } from '../entries/defaults.js'
import type { JobEntry } from '../entries/job.js'
import { isPagesJob } from '../entries/pages.js'
import type { JobOptions, PlannedArtifacts, PlannedPages } from '../plan.js'
import { effective } from './effective.js'

/** The options that are sent to the runner, with defaults applied. */
export function jobOptions(job: JobEntry, defaults: Defaults): JobOptions {
  const pages = plannedPages(job)
  const artifacts = withPages(effective(job, defaults, 'artifacts'), pages)
  const caches = effective(job, defaults, 'cache')
  return {
    ...scriptsOf(job, defaults),
    services: effective(job, defaults, 'services') ?? [],
    ...(artifacts && leavesFiles(artifacts) && { artifacts }),
    ...(caches?.length && { caches }),
    ...(pages && { pages }),
    ...presentOptions(job, defaults),
  }
}

/** Steps exclude scripts, including default scripts. */
function scriptsOf(job: JobEntry, defaults: Defaults): Pick<JobOptions, 'script' | 'afterScript' | 'run'> {
  if (job.run) return { script: [], afterScript: [], run: job.run }
  return {
    script: [...(effective(job, defaults, 'before_script') ?? []), ...(job.script ?? [])],
    afterScript: effective(job, defaults, 'after_script') ?? [],
  }
}

/** The options that were set; undefined ones are not stored. */
function presentOptions(job: JobEntry, defaults: Defaults): Partial<JobOptions> {
  const exitCodes = typeof job.allow_failure === 'object' ? job.allow_failure.exitCodes : undefined
  return {
    image: effective(job, defaults, 'image'),
    hooks: effective(job, defaults, 'hooks'),
    retry: effective(job, defaults, 'retry'),
    idTokens: effective(job, defaults, 'id_tokens'),
    dependencies: job.dependencies,
    timeout: job.timeout,
    allowFailureCodes: exitCodes,
    coverage: job.coverage,
    manualConfirmation: job.manual_confirmation,
    release: job.release,
    secrets: job.secrets,
    identity: effective(job, defaults, 'identity'),
    foreignNeeds: job.foreignNeeds,
    inputs: job.inputs?.length ? job.inputs : undefined,
  }
}

function leavesFiles({ paths, untracked, reports }: PlannedArtifacts): boolean {
  return paths.length > 0 || untracked || reports !== undefined
}

const DEFAULT_FOLDER = 'public'

function plannedPages({ name, pages, publish }: JobEntry): PlannedPages | undefined {
  if (!isPagesJob(name, pages)) return undefined
  const written = typeof pages === 'object' ? pages : {}
  return {
    publish: written.publish ?? publish ?? DEFAULT_FOLDER,
    ...(written.path_prefix !== undefined && { pathPrefix: written.path_prefix }),
    ...(written.expire_in !== undefined && { expireIn: written.expire_in }),
  }
}

/** Published files are always kept as an artifact (CI language, 3.15). */
function withPages(
  artifacts: PlannedArtifacts | undefined,
  pages: PlannedPages | undefined,
): PlannedArtifacts | undefined {
  if (!pages || artifacts?.paths.includes(pages.publish)) return artifacts
  const kept = artifacts ?? { paths: [], exclude: [], untracked: false, when: 'on_success' as const }
  return { ...kept, paths: [...kept.paths, pages.publish] }
}
