import type { defaultShape, topDefaultReaders } from '../entries/defaults.js'
import {
  COMPONENT_FACTS,
  type inputRuleShape,
  type inputShape,
  type specShape,
} from '../entries/file-spec.js'
import type { INCLUDE_KEYWORDS, SPEC_INCLUDE_KEYWORDS } from '../entries/include-keywords.js'
import type { topReaders } from '../entries/read-config.js'
import type { describedVariableReaders } from '../entries/variables.js'
import {
  type autoCancelShape,
  ON_JOB_FAILURE,
  ON_NEW_COMMIT,
  WORKFLOW_WHEN,
  type workflowRuleShape,
  type workflowShape,
} from '../entries/workflow.js'
import type { includeRuleShape } from '../include/include-rules.js'
import { TYPE_NAMES } from '../inputs/input-types.js'
import { jobKeywords, jobMaps } from './job-keywords.js'
import {
  anything,
  either,
  flag,
  type KeywordMap,
  type KeywordsNamed,
  type KeywordsOf,
  list,
  map,
  text,
  texts,
} from './keyword.js'

const { image, services, cache, hooks, tags, artifacts, timeout, interruptible, retry, ...rest } = jobKeywords
const { before_script, after_script, id_tokens, identity } = rest

const defaults: KeywordsOf<typeof defaultShape> = {
  image,
  services,
  cache,
  hooks,
  tags,
  artifacts,
  timeout,
  interruptible,
  retry,
  before_script,
  after_script,
  id_tokens,
  identity,
}

const topLevel: KeywordsNamed<
  keyof typeof topReaders | keyof typeof topDefaultReaders | 'default' | 'include' | '*'
> = {
  default: map('Values for keywords that a job does not set.', 'default'),
  stages: list('Stages in the order in which they run.'),
  variables: map('Variables of all jobs.', 'described_variables'),
  workflow: map('Whether there is a pipeline, and its name.', 'workflow'),
  include: either(['string', 'list', 'map'], 'Other files that are merged into this one.', {
    map: 'include',
  }),
  image,
  services,
  cache,
  before_script,
  after_script,
  '*': map('A job, or a hidden template whose name begins with a dot.', 'job'),
}

const include: KeywordsNamed<(typeof INCLUDE_KEYWORDS)[number]> = {
  local: text('Path of a file in this repository, at the same commit.'),
  project: text('Full path of the project that has the file.'),
  file: texts('Path of the file in the project, or several.'),
  ref: text('Branch, tag or commit of the project; its default branch if absent.'),
  remote: text('URL of a file.'),
  template: text('Name of a template of the instance.'),
  component: text('Address of a component with its version: `host/project/name@1.0`.'),
  artifact: text('Path of a file in the artifacts of `job`, for child pipelines.'),
  job: text('Job whose artifacts contain the file.'),
  inputs: map('Values for the inputs of the file.', 'any'),
  rules: list('When the file is included.', { map: 'include_rule' }),
  integrity: text('SHA-256 digest that the remote file must have: `sha256-…`.'),
  cache: either(['string', 'boolean'], 'How long a remote file may be reused.'),
}

const { local, project, file, ref, remote, integrity } = include

const specInclude: KeywordsNamed<(typeof SPEC_INCLUDE_KEYWORDS)[number]> = {
  local,
  project,
  file,
  ref,
  remote,
  integrity,
  cache: include.cache,
}

const { if: condition, changes, exists } = jobMaps.rule

const includeRule: KeywordsOf<typeof includeRuleShape> = {
  if: condition,
  changes,
  exists,
  when: text('Whether the file is included.', { words: ['never', 'always'] }),
}

const autoCancel: KeywordsOf<typeof autoCancelShape> = {
  on_new_commit: text('Which jobs a newer pipeline of the ref cancels.', { words: ON_NEW_COMMIT }),
  on_job_failure: text('Whether a failed job cancels the others.', { words: ON_JOB_FAILURE }),
}

const workflow: KeywordsOf<typeof workflowShape> = {
  name: text('Name of the pipeline; may contain variables.'),
  rules: list('When there is a pipeline.', { map: 'workflow_rule' }),
  auto_cancel: map('Which jobs are canceled as redundant.', 'auto_cancel'),
}

const workflowRule: KeywordsOf<typeof workflowRuleShape> = {
  if: condition,
  changes,
  exists,
  when: text('Whether there is a pipeline.', { words: WORKFLOW_WHEN }),
  variables: map('Variables that the rule adds.', 'variables'),
  auto_cancel: map('Which jobs are canceled as redundant.', 'auto_cancel'),
}

const describedVariable: KeywordsNamed<keyof typeof describedVariableReaders> = {
  value: either(['string', 'number', 'boolean'], 'Value; the default in the form for new pipelines.'),
  description: text('Description in the form for new pipelines.'),
  options: list('Values that may be chosen.'),
  expand: flag('Whether references to other variables are expanded.'),
}

const { value, expand } = describedVariable

const spec: KeywordsOf<typeof specShape> & KeywordsNamed<'include'> = {
  description: text('What the file is for.'),
  inputs: map('Inputs of the file, by name.', 'inputs'),
  component: list('Facts about the component that the file names.', { words: COMPONENT_FACTS }),
  include: either(['string', 'list', 'map'], 'Files with further inputs.', { map: 'spec_include' }),
}

const input: KeywordsOf<typeof inputShape> = {
  type: text('Type of the value.', { words: TYPE_NAMES }),
  default: anything('Value of an input that is not set.'),
  description: text('What the input is for.'),
  options: list('Values that are allowed.'),
  regex: text('Regular expression that the value must match.'),
  rules: list('Defaults and options that depend on other inputs.', { map: 'input_rule' }),
}

const inputRule: KeywordsOf<typeof inputRuleShape> = {
  if: text('Expression on inputs that must be true.'),
  options: list('Values that are allowed.'),
  default: anything('Value of an input that is not set.'),
}

const NAMED_VALUE = either(['string', 'number', 'boolean'], 'Value of the variable.')

/** Maps of the whole file and of its header (CI language, 2 and 5). */
export const fileMaps = {
  file: topLevel,
  default: defaults,
  include,
  include_rule: includeRule,
  workflow,
  workflow_rule: workflowRule,
  auto_cancel: autoCancel,
  variables: { '*': NAMED_VALUE },
  job_variables: {
    '*': either(['string', 'number', 'boolean', 'map'], 'Value of the variable.', { map: 'job_variable' }),
  },
  job_variable: { value, expand },
  described_variables: {
    '*': either(['string', 'number', 'boolean', 'map'], 'Value of the variable.', {
      map: 'described_variable',
    }),
  },
  described_variable: describedVariable,
  header: { spec: map('Inputs of the file.', 'spec') },
  spec,
  spec_include: specInclude,
  inputs: { '*': map('An input.', 'input') },
  input,
  input_rule: inputRule,
  any: { '*': anything('Any value.') },
} satisfies Record<string, KeywordMap>
