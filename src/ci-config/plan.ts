import type { ContextVariables } from './context-variable.js'
import type { Problem } from './errors.js'
import type { ConfigOrigin } from './sources.js'

/**
 * What a CI file comes to: the jobs of one pipeline, filtered for one event, every default applied and every name
 * checked. Plain data; the coordinator stores it, the lint command prints it.
 */
export interface Plan {
  /** Every stage in order, `.pre` first and `.post` last; also those that hold no job. */
  stages: string[]
  /** In stage order, then in the order of the file. */
  jobs: PlannedJob[]
  warnings: string[]
  /** `workflow:name` with its variables expanded, at most 255 characters; absent = none. */
  name?: string
  autoCancel: PlannedAutoCancel
}

/** When the pipeline, or parts of it, are given up by themselves (CI language, 12.6 and 12.7). */
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
  /** `dag` when the job wrote `needs`, even an empty list (CI language, 3.8). */
  schedulingType: 'stage' | 'dag'
  needs: PlannedNeed[]
  tags: string[]
  /** Top-level variables overridden by the job's own, in the order they were written. */
  variables: PlannedVariable[]
  /** Whether a newer pipeline of the ref may cancel it (CI language, 12.6). */
  interruptible: boolean
  /** Among the waiting jobs of its project the greater one goes first; 0 when nothing is said. */
  priority?: number
  /** Seconds to wait once its turn has come; with `when: delayed` only. */
  startIn?: number
  /** Key of the resource that it holds while it runs, variables expanded (CI language, 12.8). */
  resourceGroup?: string
  environment?: PlannedEnvironment
  /** Present = a trigger job: starts another pipeline instead of a script (CI language, 13). */
  trigger?: PlannedTrigger
  /** Path of the project whose latest pipeline status the trigger job takes over (CI language, 3.8). */
  mirrors?: string
  /** Position among the instances of one `parallel` job, from 1. */
  parallel?: { index: number; total: number }
  options: JobOptions
}

/** CI language, 3.6. */
export interface PlannedEnvironment {
  /** Variables expanded; what does not make a name fails the job, not the file (CI language, 15.1). */
  name: string
  action: 'start' | 'stop' | 'prepare' | 'verify' | 'access'
  /** As written: expanded when the job is created, and again when it succeeds. */
  url?: string
  /** Name of the job that stops it. */
  onStop?: string
  /** A duration or `never`, variables expanded. */
  autoStopIn?: string
  tier?: string
  /** Kept for clients; nothing here acts on it. */
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

/** What was written, as JSON has it: kept for a compilation that is yet to come. */
export type ConfigData =
  string | number | boolean | null | readonly ConfigData[] | { readonly [key: string]: ConfigData }

export interface PlannedNeed {
  name: string
  /** Whether the needed job's artifacts are fetched. */
  artifacts: boolean
  optional: boolean
}

export interface PlannedVariable {
  key: string
  value: string
  /** `expand: false`: references inside the value are left alone. */
  raw: boolean
}

/** What a job carries to its runner; kept with the job as JSON. */
export interface JobOptions {
  /** `before_script` followed by `script`: both run in one shell (CI language, 3.2). */
  script: string[]
  afterScript: string[]
  /** Steps in the place of the scripts, which are empty then; absent = not written (CI language, 3.2). */
  run?: PlannedRunStep[]
  /** The runner's choice when absent. */
  image?: PlannedImage
  services: PlannedService[]
  artifacts?: PlannedArtifacts
  /** Absent = none. */
  caches?: PlannedCache[]
  hooks?: PlannedHooks
  /** Names written in `dependencies`; absent = not written (CI language, 16.2). */
  dependencies?: string[]
  /** Seconds; absent = the project's. */
  timeout?: number
  /** Absent = never by itself. */
  retry?: PlannedRetry
  /** A failure with one of these exit codes is allowed (CI language, 3.3). */
  allowFailureCodes?: number[]
  /** `/…/`: finds the coverage in the log (CI language, 17.1). */
  coverage?: string
  /** Text that people are asked to confirm before they start a manual job. */
  manualConfirmation?: string
  release?: PlannedRelease
  /** Variable names to the audiences of the token that each holds. */
  idTokens?: Readonly<Record<string, { aud: string[] }>>
  /** Variable names to where the runner finds the secret, as written. */
  secrets?: Readonly<Record<string, ConfigData>>
  /** The cloud that the job signs in to with an identity that the server vouches for. */
  identity?: string
  pages?: PlannedPages
  /** Jobs of other pipelines or projects whose artifacts are fetched. */
  foreignNeeds?: PlannedForeignNeed[]
  /** What the blocks `${{ job.inputs.NAME }}` in the options stand for. */
  inputs?: PlannedInput[]
}

/** One of `script`, `step` and `func` is there; the names are those on the wire (runner protocol, 2.4, `run`). */
export interface PlannedRunStep {
  name: string
  script?: string
  /** Where a step is that the step runner of the reference fetches; `func` is its newer name. */
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
  /** What is put in its place: the default, until somebody who starts the job gives another value. */
  text: string
  options?: readonly ConfigData[]
  regex?: string
  description?: string
}

/** CI language, 12.2. */
export interface PlannedRetry {
  /** Further attempts: 0, 1 or 2. */
  max: number
  /** `always`, or failure reasons; empty when only exit codes count. */
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
  /** `optional`: the job runs also when there is no such job. */
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
  /** As written, for example `1 week` or `never`; absent = the instance's default. */
  expireIn?: string
  reports?: PlannedReports
  /** Title of a link to the files. */
  exposeAs?: string
  /** Who may download them through pages and API; absent = everyone who may see the job. */
  access?: 'all' | 'developer' | 'maintainer' | 'none'
}

/** Paths of the files of each report, by its type on the wire (CI language, 3.4). */
export type PlannedReports = Readonly<Record<string, string[] | undefined>>

/** CI language, 3.5. */
export interface PlannedCache {
  /** Absent = `default`. */
  key?: PlannedCacheKey
  paths: string[]
  untracked: boolean
  /** `pull-push`, `pull`, `push`, or a variable that holds one of them. */
  policy: string
  when: 'on_success' | 'on_failure' | 'always'
  /** Shares the cache of unprotected refs even on a protected one. */
  unprotect: boolean
  fallbackKeys: string[]
}

/** A text as written, or a digest of what the files hold or of the commits that touched them last. */
export type PlannedCacheKey = string | { files: string[]; by: 'content' | 'commit'; prefix?: string }

/** Lines that the runner runs at other times than the script. */
export interface PlannedHooks {
  pre_get_sources_script?: string[]
}

/** The event that a pipeline is created for. */
export interface PipelineContext {
  ref: string
  refType: 'branch' | 'tag'
  /** `CI_PIPELINE_SOURCE`, for example `push`, `api`, `web` (CI language, 9.1). */
  source: string
  /** `group/project`; for `only: [branches@group/project]`. */
  projectPath: string
  /** Without the file's own (CI language, 8.6). */
  variables: ContextVariables
  /** Values for the inputs of the file (CI language, 5.2). */
  inputs?: Readonly<Record<string, ConfigData>>
  /** Where the text that is compiled was found; absent = nowhere that files beside it could be read from. */
  origin?: ConfigOrigin
}

export type CompileResult =
  | { kind: 'plan'; plan: Plan }
  /** The file is wrong; `errors` are the sentences of the problems, first one first (CI language, 1.3). */
  | { kind: 'invalid'; problems: Problem[]; errors: string[]; warnings: string[] }
  /** The file is right, and its workflow says that there is no pipeline for this event (CI language, 7.6). */
  | { kind: 'filtered'; message: string }
  /** The file is right but no job is left for this event (CI language, 9.2, row 16). */
  | { kind: 'empty'; message: string }
