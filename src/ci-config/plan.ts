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
  options: JobOptions
}

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
}

export interface PlannedImage {
  name: string
  entrypoint?: string[]
  pullPolicy?: string[]
  docker?: { platform?: string; user?: string }
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
  /** What expressions may refer to, without the file's own (CI language, 8.6). */
  variables: ReadonlyMap<string, string>
}

/** Text of another file of the same commit; undefined when there is none. */
export type ReadFile = (path: string) => Promise<string | undefined>

export type CompileResult =
  | { kind: 'plan'; plan: Plan }
  /** The file is wrong; `errors` are complete sentences, first one first (CI language, 1.3). */
  | { kind: 'invalid'; errors: string[]; warnings: string[] }
  /** The file is right but no job is left for this event (CI language, 9.2 row 16). */
  | { kind: 'empty'; message: string }
