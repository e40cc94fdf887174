import type { allowFailureShape } from '../entries/allow-failure.js'
import type { changesShape, existsShape } from '../entries/clauses.js'
import type { dastConfigurationShape } from '../entries/dast-configuration.js'
import {
  type clusterShape,
  type dashboardShape,
  ENVIRONMENT_ACTIONS,
  ENVIRONMENT_TIERS,
  type environmentShape,
  type managedResourcesShape,
} from '../entries/environment.js'
import type { hooksShape } from '../entries/hooks.js'
import { IDENTITY_PROVIDERS } from '../entries/identity.js'
import { DEFAULT_KEYS, type inheritShape } from '../entries/inherit.js'
import type { jobInputShape } from '../entries/job-inputs.js'
import type { jobShape } from '../entries/job.js'
import type {
  mirroredProjectShape,
  neededJobShape,
  neededPipelineShape,
  neededProjectShape,
} from '../entries/needs.js'
import type { pagesShape } from '../entries/pages.js'
import type { parallelShape } from '../entries/parallel.js'
import type { refPolicyShape } from '../entries/ref-policy.js'
import { RETRY_REASONS, type retryShape } from '../entries/retry.js'
import { RULE_WHEN, type ruleShape } from '../entries/rules.js'
import type { triggerJobShape } from '../entries/trigger-job.js'
import {
  type childPipelineShape,
  type forwardShape,
  type projectPipelineShape,
  STRATEGIES,
} from '../entries/trigger.js'
import { JOB_WHEN } from '../entries/when.js'
import { TYPE_NAMES } from '../inputs/input-types.js'
import {
  anything,
  either,
  flag,
  type KeywordMap,
  type KeywordsOf,
  list,
  map,
  text,
  texts,
} from './keyword.js'

type JobKeywords = KeywordsOf<typeof jobShape> & KeywordsOf<typeof triggerJobShape>

const ref = either(['list', 'map'], 'Refs and other conditions, of which one must hold; `rules` is newer.', {
  map: 'ref_policy',
})

/** Keywords of jobs with a script and of trigger jobs (CI language, 3.1). */
export const jobKeywords: JobKeywords = {
  stage: text('Stage of the job; `test` by default.'),
  extends: texts('Jobs and templates whose keywords the job takes over.'),
  image: either(['string', 'map'], 'Image of the container that the job runs in.', { map: 'image' }),
  services: list('Further containers for the job, such as a database.', { map: 'service' }),
  script: texts('Commands of the job.'),
  before_script: texts('Commands before the script, in the same shell.'),
  after_script: texts('Commands after the script, also when it failed or was canceled.'),
  run: list('Steps in place of a script.', { map: 'step' }),
  hooks: map('Commands outside the script.', 'hooks'),
  variables: map('Variables of the job.', 'job_variables'),
  tags: list('Tags that the runner must have.'),
  rules: list('When the job is in the pipeline; the first rule that matches decides.', { map: 'rule' }),
  only: ref,
  except: either(['list', 'map'], 'Refs and other conditions, of which none may hold; `rules` is newer.', {
    map: 'ref_policy',
  }),
  when: text('When the job starts.', { words: JOB_WHEN }),
  start_in: text('Delay of a job with `when: delayed`: `30 minutes`.'),
  manual_confirmation: text('Question to the user who starts the manual job.'),
  allow_failure: either(['boolean', 'map'], 'Whether the pipeline continues when the job fails.', {
    map: 'allow_failure',
  }),
  needs: either(['list', 'map'], 'Jobs that must succeed before this one starts, whatever their stage.', {
    map: 'need',
  }),
  dependencies: list('Jobs whose artifacts are downloaded; all of earlier stages by default.'),
  parallel: either(['number', 'map'], 'Number of instances of the job, or a matrix of variables.', {
    map: 'parallel',
  }),
  artifacts: map('Files that are kept after the job.', 'artifacts'),
  cache: either(['list', 'map'], 'Files that are kept between jobs, as far as possible.', { map: 'cache' }),
  coverage: text('Regular expression that finds the coverage in the log: `/Total: (\\d+)%/`.'),
  environment: either(['string', 'map'], 'Environment to which the job deploys.', { map: 'environment' }),
  resource_group: text('Name of a group of which one job runs at a time.'),
  release: map('Release that is created after the script.', 'release'),
  trigger: either(['string', 'map'], 'Pipeline that the job starts: a project, or a child pipeline.', {
    map: 'trigger',
  }),
  interruptible: flag('Whether a newer pipeline may cancel the job.'),
  timeout: text('Longest duration of the job: `1h 30m`.'),
  retry: either(['number', 'map'], 'How often a failed job is retried, at most twice.', { map: 'retry' }),
  inherit: map('What the job takes from `default` and from the variables at the top.', 'inherit'),
  inputs: map('Values that a user may set when starting the job.', 'job_inputs'),
  id_tokens: map('Variables with signed tokens, by name.', 'id_tokens'),
  secrets: map('Variables from secrets providers, by name.', 'secrets'),
  identity: text('Cloud provider in which the job authenticates.', { words: IDENTITY_PROVIDERS }),
  pages: either(['boolean', 'map'], 'Whether the job builds a site; its folder becomes an artifact.', {
    map: 'pages',
  }),
  publish: text('Folder of the site; `public` by default.'),
  dast_configuration: map('Names of scanner profiles; without effect.', 'dast_configuration'),
}

const rule: KeywordsOf<typeof ruleShape> = {
  if: text('Expression on variables that must be true.'),
  changes: either(['list', 'map'], 'Files of which one must have changed.', { map: 'changes' }),
  exists: either(['string', 'list', 'map'], 'Files of which one must exist.', { map: 'exists' }),
  when: text('When the job starts; `never` leaves it out.', { words: RULE_WHEN }),
  start_in: jobKeywords.start_in,
  allow_failure: flag('Whether the pipeline continues when the job fails.'),
  interruptible: jobKeywords.interruptible,
  variables: map('Variables that the rule adds.', 'variables'),
  needs: either(['list', 'map'], 'Needs in place of those of the job.', { map: 'need' }),
}

const changes: KeywordsOf<typeof changesShape> = {
  paths: list('Patterns of paths.'),
  compare_to: text('Ref to compare with, in place of the previous commit.'),
}

const exists: KeywordsOf<typeof existsShape> = {
  paths: list('Patterns of paths.'),
  project: text('Full path of another project to look in.'),
  ref: text('Branch, tag or commit of the project.'),
}

const refPolicy: KeywordsOf<typeof refPolicyShape> = {
  refs: list('Branches and tags, regular expressions, and words such as `tags`.'),
  variables: list('Expressions on variables.'),
  changes: list('Patterns of paths that have changed.'),
  kubernetes: text('Whether a cluster is available.', { words: ['active'] }),
}

const need: KeywordsOf<typeof neededJobShape> &
  KeywordsOf<typeof neededPipelineShape> &
  KeywordsOf<typeof neededProjectShape> &
  KeywordsOf<typeof mirroredProjectShape> = {
  job: text('Name of the job.'),
  artifacts: flag('Whether its artifacts are downloaded; true by default.'),
  optional: flag('Whether the job may be missing from the pipeline.'),
  parallel: map('Instances of a parallel job.', 'matrix_parallel'),
  pipeline: either(['string', 'number'], 'ID of another pipeline; in a trigger job, the project to mirror.'),
  project: text('Full path of another project.'),
  ref: text('Branch or tag of the other project.'),
}

const parallel: KeywordsOf<typeof parallelShape> = {
  matrix: list('Variables with their values; every combination is an instance.', { map: 'matrix' }),
}

const allowFailure: KeywordsOf<typeof allowFailureShape> = {
  exit_codes: either(['number', 'list'], 'Exit codes of the script that are tolerated.'),
}

const retry: KeywordsOf<typeof retryShape> = {
  max: either(['number'], 'Number of retries, at most 2.'),
  when: texts('Reasons of failure after which the job is retried.', { words: [...RETRY_REASONS] }),
  exit_codes: either(['number', 'list'], 'Exit codes of the script after which the job is retried.'),
}

const inherit: KeywordsOf<typeof inheritShape> = {
  default: either(['boolean', 'list'], 'Keywords of `default` that the job takes over.', {
    words: [...DEFAULT_KEYS],
  }),
  variables: either(['boolean', 'list'], 'Variables at the top that the job takes over.'),
}

const environment: KeywordsOf<typeof environmentShape> = {
  name: text('Name; may contain variables.'),
  url: text('Address of what is deployed; may contain variables.'),
  action: text('What the job does with the environment.', { words: ENVIRONMENT_ACTIONS }),
  on_stop: text('Job that stops the environment.'),
  auto_stop_in: text('When the environment is stopped: `1 day`, or `never`.'),
  deployment_tier: text('Tier.', { words: ENVIRONMENT_TIERS }),
  kubernetes: map('Cluster of the environment; without effect.', 'cluster'),
}

const cluster: KeywordsOf<typeof clusterShape> = {
  agent: text('Agent for the cluster.'),
  namespace: text('Namespace in the cluster.'),
  flux_resource_path: text('Path of the Flux resource.'),
  managed_resources: map('Resources that are managed.', 'managed_resources'),
  dashboard: map('Dashboard of the environment.', 'dashboard'),
}

const managedResources: KeywordsOf<typeof managedResourcesShape> = {
  enabled: flag('Whether resources are managed.'),
}

const dashboard: KeywordsOf<typeof dashboardShape> = {
  namespace: cluster.namespace,
  flux_resource_path: cluster.flux_resource_path,
}

const trigger: KeywordsOf<typeof childPipelineShape> & KeywordsOf<typeof projectPipelineShape> = {
  include: either(['string', 'list', 'map'], 'Files of the child pipeline.', { map: 'include' }),
  project: text('Full path of the project whose pipeline is started.'),
  branch: text('Branch of the project; its default branch if absent.'),
  strategy: text('How the status of the job follows the pipeline.', { words: STRATEGIES }),
  forward: map('Which variables the pipeline receives.', 'forward'),
  inputs: map('Values for the inputs of the pipeline.', 'any'),
}

const forward: KeywordsOf<typeof forwardShape> = {
  yaml_variables: flag('Whether variables of the trigger job are passed on; true by default.'),
  pipeline_variables: flag('Whether variables of the pipeline are passed on; false by default.'),
}

const hooks: KeywordsOf<typeof hooksShape> = {
  pre_get_sources_script: texts('Commands before the sources are fetched.'),
}

const jobInput: KeywordsOf<typeof jobInputShape> = {
  type: text('Type of the value.', { words: TYPE_NAMES }),
  default: anything('Value unless a user sets one; required.'),
  description: text('What the input is for.'),
  options: list('Values that are allowed.'),
  regex: text('Regular expression that the value must match.'),
}

const pages: KeywordsOf<typeof pagesShape> = {
  path_prefix: text('Prefix of the address of the site.'),
  expire_in: text('When the site expires: `1 week`, or `never`.'),
  publish: jobKeywords.publish,
}

const dastConfiguration: KeywordsOf<typeof dastConfigurationShape> = {
  site_profile: text('Name of the site profile.'),
  scanner_profile: text('Name of the scanner profile.'),
}

/** Maps of a job, and of what decides when and how it runs (CI language, 3). */
export const jobMaps = {
  job: jobKeywords,
  rule,
  changes,
  exists,
  ref_policy: refPolicy,
  need,
  parallel,
  matrix_parallel: parallel,
  matrix: { '*': either(['string', 'number', 'list'], 'Value or values of the variable.') },
  allow_failure: allowFailure,
  retry,
  inherit,
  environment,
  cluster,
  managed_resources: managedResources,
  dashboard,
  trigger,
  forward,
  hooks,
  job_inputs: { '*': map('An input.', 'job_input') },
  job_input: jobInput,
  pages,
  dast_configuration: dastConfiguration,
} satisfies Record<string, KeywordMap>
