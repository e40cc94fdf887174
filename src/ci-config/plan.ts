import type { ContextVariables } from './context-variable.js'
import type { Problem } from './errors.js'
import type { ConfigOrigin } from './sources.js'

/**
 * The result of a CI file: the jobs of one pipeline, selected for one event, with all defaults applied and
 * all names checked. Plain data: the coordinator stores it, and the lint command prints it.
 */
export interface Plan {
  /** All stages in order, `.pre` first and `.post` last, including those without jobs. */
  stages: string[]
  /** In stage order, then in the order of the file. */
  jobs: PlannedJob[]
  warnings: string[]
  /** `workflow:name` with its variables expanded, at most 255 characters; absent = none. */
  name?: string
  autoCancel: PlannedAutoCancel
}

/** When the pipeline, or parts of it, are canceled automatically (CI language, 12.6 and 12.7). */
export interface PlannedAutoCancel {
  onNewCommit: 'conservative' | 'interruptible' | 'none'
  onJobFailure: 'none' | 'all'
}

export type JobWhen = 'on_success' | 'on_failure' | 'always' | 'manual' | 'delayed'

export interface PlannedJob {
  name: string
  stage: string
  /** Position of the stage in `Plan.stages`. */
  stageIndex: number
  when: JobWhen
  allowFailure: boolean
  /** `dag` if the job sets `needs`, even to an empty list (CI language, 3.8). */
  schedulingType: 'stage' | 'dag'
  needs: PlannedNeed[]
  tags: string[]
  /** Top-level variables overridden by those of the job, in written order. */
  variables: PlannedVariable[]
  /** Whether a newer pipeline of the ref may cancel it (CI language, 12.6). */
  interruptible: boolean
  /** The waiting job with the greatest priority in a project runs first; 0 by default. */
  priority?: number
  /** Delay in seconds after the job becomes ready; only with `when: delayed`. */
  startIn?: number
  /** Key of the resource that the job holds while it runs, with variables expanded (CI language, 12.8). */
  resourceGroup?: string
  environment?: PlannedEnvironment
  /** Present = a trigger job: starts another pipeline instead of a script (CI language, 13). */
  trigger?: PlannedTrigger
  /** Path of the project whose latest pipeline status the trigger job mirrors (CI language, 3.8). */
  mirrors?: string
  /** Position among the instances of one `parallel` job, from 1. */
  parallel?: { index: number; total: number }
  options: JobOptions
}

/** CI language, 3.6. */
export interface PlannedEnvironment {
  /** Variables are expanded. An invalid name fails the job, not the file (CI language, 15.1). */
  name: string
  action: 'start' | 'stop' | 'prepare' | 'verify' | 'access'
  /** Unexpanded; expanded when the job is created and again when it succeeds. */
  url?: string
  /** Name of the job that stops it. */
  onStop?: string
  /** A duration or `never`, with variables expanded. */
  autoStopIn?: string
  tier?: string
  /** Returned to clients; otherwise unused. */
  kubernetes?: Readonly<Record<string, ConfigData>>
}

/** CI language, 13.1. */
export type PlannedTrigger = (
  | { kind: 'child'; include: ConfigData[]; inputs?: ConfigData }
  | { kind: 'project'; project: string; branch?: string; inputs?: ConfigData }
) & {
  strategy?: 'depend' | 'mirror'
  forward: { yamlVariables: boolean; pipelineVariables: boolean }
}

/** A value as in the file, in JSON form, for a later compilation. */
export type ConfigData =
  | string
  | number
  | boolean
  | null
  | readonly ConfigData[]
  | { readonly [key: string]: ConfigData }

export interface PlannedNeed {
  name: string
  /** Whether the needed job's artifacts are fetched. */
  artifacts: boolean
  optional: boolean
}

export interface PlannedVariable {
  key: string
  value: string
  /** `expand: false`: references inside the value are not expanded. */
  raw: boolean
}

/** Options that are sent to the runner; stored with the job as JSON. */
export interface JobOptions {
  /** `before_script` followed by `script`: both run in one shell (CI language, 3.2). */
  script: string[]
  afterScript: string[]
  /** Steps that replace the scripts, which are then empty; absent = not set (CI language, 3.2). */
  run?: PlannedRunStep[]
  /** The runner chooses one if absent. */
  image?: PlannedImage
  services: PlannedService[]
  artifacts?: PlannedArtifacts
  /** Absent = none. */
  caches?: PlannedCache[]
  hooks?: PlannedHooks
  /** Names in `dependencies`; absent = not set (CI language, 16.2). */
  dependencies?: string[]
  /** Seconds; absent = the project's. */
  timeout?: number
  /** Absent = no explicit retry. */
  retry?: PlannedRetry
  /** A failure with one of these exit codes is allowed (CI language, 3.3). */
  allowFailureCodes?: number[]
  /** `/…/`: the pattern that extracts the coverage from the log (CI language, 17.1). */
  coverage?: string
  /** Text that users must confirm before they start a manual job. */
  manualConfirmation?: string
  release?: PlannedRelease
  /** The audiences of each token, by the name of its variable. */
  idTokens?: Readonly<Record<string, { aud: string[] }>>
  /** The source of each secret, as in the file, by the name of its variable. */
  secrets?: Readonly<Record<string, ConfigData>>
  /** The cloud that the job signs in to with an identity that the server vouches for. */
  identity?: string
  pages?: PlannedPages
  /** Jobs of other pipelines or projects whose artifacts the job fetches. */
  foreignNeeds?: PlannedForeignNeed[]
  /** The values of `${{ job.inputs.NAME }}` in the options. */
  inputs?: PlannedInput[]
}

/**
 * Exactly one of `script`, `step` and `func` is set; the names are those of the protocol (runner protocol,
 * 2.4, `run`).
 */
export interface PlannedRunStep {
  name: string
  script?: string
  /** Location of a step for the step runner of the reference; `func` is its newer name. */
  step?: ConfigData
  func?: ConfigData
  env?: Readonly<Record<string, string>>
  inputs?: ConfigData
}

/** CI language, 5.4. */
export interface PlannedInput {
  name: string
  /** `string`, `number`, `boolean` or `array`. */
  type: string
  /** The text to insert: the default, unless the user who starts the job sets another value. */
  text: string
  options?: readonly ConfigData[]
  regex?: string
  description?: string
}

/** CI language, 12.2. */
export interface PlannedRetry {
  /** Further attempts: 0, 1 or 2. */
  max: number
  /** `always`, or failure reasons; empty if only exit codes are set. */
  when: string[]
  exitCodes: number[]
}

/** CI language, 3.14; variables are expanded by the runner. */
export interface PlannedRelease {
  tagName: string
  description: string
  tagMessage?: string
  name?: string
  ref?: string
  milestones?: string[]
  releasedAt?: string
  links?: { name: string; url: string; filepath?: string; linkType?: string }[]
}

/** CI language, 3.15. */
export interface PlannedPages {
  /** The folder that is published; also among the paths of the artifacts. */
  publish: string
  pathPrefix?: string
  expireIn?: string
}

/** CI language, 3.8. */
export type PlannedForeignNeed =
  /** `optional`: the job also runs if there is no such job. */
  | { kind: 'pipeline'; pipeline: string; job: string; artifacts: boolean; optional?: boolean }
  | { kind: 'project'; project: string; ref: string; job: string; artifacts: boolean }

export interface PlannedImage {
  name: string
  entrypoint?: string[]
  pullPolicy?: string[]
  docker?: { platform?: string; user?: string }
  kubernetes?: { user?: string | number }
}

export interface PlannedService extends PlannedImage {
  command?: string[]
  alias?: string
  variables?: PlannedVariable[]
}

export interface PlannedArtifacts {
  paths: string[]
  exclude: string[]
  untracked: boolean
  name?: string
  when: 'on_success' | 'on_failure' | 'always'
  /** As in the file, for example `1 week` or `never`; absent = the default of the instance. */
  expireIn?: string
  reports?: PlannedReports
  /** Title of a link to the files. */
  exposeAs?: string
  /** The users who may download them through pages and API; absent = everyone who may see the job. */
  access?: 'all' | 'developer' | 'maintainer' | 'none'
}

/** Paths of the files of each report, by its type in the protocol (CI language, 3.4). */
export type PlannedReports = Readonly<Record<string, string[] | undefined>>

/** CI language, 3.5. */
export interface PlannedCache {
  /** Absent = `default`. */
  key?: PlannedCacheKey
  paths: string[]
  untracked: boolean
  /** `pull-push`, `pull`, `push`, or a variable with one of these values. */
  policy: string
  when: 'on_success' | 'on_failure' | 'always'
  /** Shares the cache of unprotected refs even on a protected one. */
  unprotect: boolean
  fallbackKeys: string[]
}

/** A literal key, or a digest of the content of files or of the last commits that changed them. */
export type PlannedCacheKey = string | { files: string[]; by: 'content' | 'commit'; prefix?: string }

/** Lines that the runner executes outside the script. */
export interface PlannedHooks {
  pre_get_sources_script?: string[]
}

/** The event that a pipeline is created for. */
export interface PipelineContext {
  /** Short name of a branch or tag, or the full name of a ref of a merge request. */
  ref: string
  refType: 'branch' | 'tag'
  /** `CI_PIPELINE_SOURCE`, for example `push`, `api`, `web` (CI language, 9.1). */
  source: string
  /**
   * Whether it is a pipeline of a merge request, or a child of one: it is for neither a branch nor a tag (CI
   * language, 7.7).
   */
  isForMergeRequest?: boolean
  /** `group/project`; for `only: [branches@group/project]`. */
  projectPath: string
  /** Without the variables of the file itself (CI language, 8.6). */
  variables: ContextVariables
  /** Values for the inputs of the file (CI language, 5.2). */
  inputs?: Readonly<Record<string, ConfigData>>
  /** Needs of one job; absent = as in section 18 of the CI language, 0 = no limit. */
  needsLimit?: number
  /** The location of the compiled text; absent = a text without accessible local files. */
  origin?: ConfigOrigin
}

export type CompileResult =
  | { kind: 'plan'; plan: Plan }
  /** The file is wrong; `errors` are the sentences of the problems, first one first (CI language, 1.3). */
  | {
      kind: 'invalid'
      problems: Problem[]
      errors: string[]
      /** The sentences of the hints. */
      warnings: string[]
      /** Suggested corrections, and keys that are written twice. */
      hints: Problem[]
    }
  /** The file is valid, but its workflow excludes a pipeline for this event (CI language, 7.6). */
  | { kind: 'filtered'; message: string }
  /** The file is valid but has no job for this event (CI language, 9.2, row 16). */
  | { kind: 'empty'; message: string }
