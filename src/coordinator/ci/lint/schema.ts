import { type Static, Type } from 'typebox'

import { described } from '../../http/parameters/described.js'
import { Nullable, OneOf } from '../../http/parameters/types.js'

const Lines = Type.Array(Type.String())
const Written = Type.Unknown({ description: 'Value as written in the file' })

/** A job of the file (API, I5). */
export const LintedJob = Type.Object({
  name: described(Type.String(), 'Name of the job.'),
  stage: described(Type.String(), 'Stage of the job.'),
  before_script: described(Lines, 'Commands before the script.'),
  script: described(Lines, 'Commands of the job.'),
  after_script: described(Lines, 'Commands after the script, whether it failed or not.'),
  tag_list: described(Lines, 'Tags that the runner must have.'),
  only: described(
    Type.Optional(Written),
    'Value as written in the file; absent in a dry run, where the jobs are already selected.',
  ),
  except: described(Type.Optional(Written), 'Value as written in the file; absent in a dry run.'),
  environment: described(Nullable(Type.String()), 'Name of the environment; null if there is none.'),
  when: described(Type.String(), 'When the job runs.'),
  allow_failure: described(Type.Boolean(), 'Whether the pipeline continues when the job fails.'),
  needs: described(
    Nullable(
      Type.Array(
        Type.Object({
          name: described(Type.String(), 'Name of the job.'),
          artifacts: described(Type.Boolean(), 'Whether the artifacts of the job are downloaded.'),
          optional: described(Type.Boolean(), 'Whether the job may be missing from the pipeline.'),
        }),
      ),
    ),
    'Jobs to wait for; null for all jobs of earlier stages.',
  ),
  inputs: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String({ description: 'Name, for references such as `${{ job.inputs.NAME }}`' }),
        type: Type.String({ description: '`string`, `number`, `boolean` or `array`' }),
        default: Type.String({ description: 'Default value, as text' }),
      }),
      { description: 'Values that a user may give when starting the job; absent if any value is valid' },
    ),
  ),
})
export type LintedJob = Static<typeof LintedJob>

/** An included file. */
export const LintedInclude = Type.Object({
  type: described(Type.String(), 'Type of the include.'),
  location: described(Type.String(), 'Path or URL of the file.'),
  blob: described(
    Nullable(Type.String()),
    'URL of the file at the included commit; null if the file is in no project of this server.',
  ),
  raw: described(
    Nullable(Type.String()),
    'URL of the raw file, in the API or on a remote server; null for a template.',
  ),
  extra: described(Type.Object({}), 'Additional information; always empty.'),
  context_project: described(
    Nullable(Type.String()),
    'Full path of the project whose file includes this one; null if that file belongs to no project of this server.',
  ),
  context_sha: described(
    Nullable(Type.String()),
    'SHA of the commit of the including file; null as for `context_project`.',
  ),
})
export type LintedInclude = Static<typeof LintedInclude>

/** An error or a warning with its place. */
export const LintProblem = Type.Object({
  message: described(Type.String(), 'The error or warning, as in `errors` and `warnings`.'),
  severity: described(OneOf('error', 'warning'), 'Whether the configuration is refused for it.'),
  path: described(Lines, 'Keys from the top of the merged configuration; empty if it concerns no key.'),
  file: described(
    Nullable(Type.String()),
    'File, as `include` names it, or the path of the CI file; null if the problem is in no single file.',
  ),
  line: described(Nullable(Type.Integer()), 'Line in the file, from 1; null like `file`.'),
  column: described(Nullable(Type.Integer()), 'Column in the line, from 1; null like `file`.'),
})
export type LintProblem = Static<typeof LintProblem>

/** A variable in the conditions of rules. */
export const LintedVariable = Type.Object({
  name: Type.String({ description: 'Name of the variable' }),
  is_set: Type.Boolean({ description: 'Whether it has a value' }),
  value: described(
    Nullable(Type.String()),
    'Value, of which at most 200 characters; null if it is not set, or comes from the settings.',
  ),
})
export type LintedVariable = Static<typeof LintedVariable>

/** A rule that was evaluated for an event. */
export const ExplainedRule = Type.Object({
  condition: Type.String({ description: 'Conditions as written; empty if the rule has none' }),
  when: described(Nullable(Type.String()), '`when` of the rule; null if it has none.'),
  failed: described(
    Nullable(OneOf('if', 'changes', 'exists')),
    'Condition that does not hold; null for the rule that matched.',
  ),
  file: described(Nullable(Type.String()), 'File of the rule; null if it is in no single file.'),
  line: described(Nullable(Type.Integer()), 'Line in the file, from 1; null like `file`.'),
})
export type ExplainedRule = Static<typeof ExplainedRule>

const evaluation = {
  rules: Type.Array(ExplainedRule, {
    description: 'Rules up to the first one that matches; the others are not evaluated',
  }),
  variables: Type.Array(LintedVariable, { description: 'Variables in the conditions of these rules' }),
}

/** What a dry run decided for its event. */
export const ExplainedEvent = Type.Object({
  outcome: described(
    OneOf('pipeline', 'filtered', 'empty', 'invalid'),
    'Whether there is a pipeline, the rules of the workflow exclude it, no job is in it, or the file is invalid.',
  ),
  workflow: described(Nullable(Type.Object(evaluation)), 'Rules of the workflow; null if it has none.'),
  jobs: Type.Array(
    Type.Object({
      name: Type.String({ description: 'Name of the job' }),
      stage: Type.String({ description: 'Stage of the job' }),
      included: Type.Boolean({ description: 'Whether the job is in the pipeline' }),
      when: described(Nullable(Type.String()), 'When the job runs; null if it is not in the pipeline.'),
      reason: described(
        OneOf('rule', 'no_rule', 'only', 'except', 'no_condition'),
        'What decided: the last of `rules`, that no rule matched, `only`, `except`, or that nothing excludes the job.',
      ),
      policy: described(
        Nullable(OneOf('refs', 'variables', 'changes', 'kubernetes')),
        'Key of `only` or `except` that decided; null for other reasons.',
      ),
      ...evaluation,
    }),
    { description: 'All jobs of the file, as far as they were evaluated' },
  ),
})
export type ExplainedEvent = Static<typeof ExplainedEvent>

export const LintReport = Type.Object({
  valid: described(Type.Boolean(), 'Whether the configuration is valid.'),
  errors: described(Type.Array(Type.String()), 'Errors in the configuration.'),
  warnings: described(Type.Array(Type.String()), 'Warnings about the configuration.'),
  problems: described(Type.Array(LintProblem), 'Errors and warnings with their places.'),
  merged_yaml: described(
    Nullable(Type.String()),
    'Configuration after all `include` and `extends` are resolved; null if there is none.',
  ),
  includes: described(Type.Array(LintedInclude), 'Included files.'),
  jobs: described(Type.Optional(Type.Array(LintedJob)), 'Jobs of the configuration; only on request.'),
  event: described(Type.Optional(ExplainedEvent), 'Decisions of a dry run; only with `explain`.'),
})
export type LintReport = Static<typeof LintReport>

/** The older report, of a text without a project (API, I5). */
export const TextReport = Type.Object({
  status: described(OneOf('valid', 'invalid'), 'Whether the configuration is valid.'),
  errors: described(Type.Array(Type.String()), 'Errors in the configuration.'),
  warnings: described(Type.Array(Type.String()), 'Warnings about the configuration.'),
  merged_yaml: described(
    Type.Optional(Nullable(Type.String())),
    'Configuration after all `include` and `extends` are resolved; only on request.',
  ),
  jobs: described(Type.Optional(Type.Array(LintedJob)), 'Jobs of the configuration; only on request.'),
})
export type TextReport = Static<typeof TextReport>

const Flag = Type.Optional(Type.Boolean())
const Name = Type.Optional(Type.String())

export const LintTextAlone = Type.Object({
  content: described(Type.String(), 'Content of the CI file.'),
  include_merged_yaml: described(Flag, 'Whether to return `merged_yaml`; false by default.'),
  include_jobs: described(Flag, 'Whether to return `jobs`; false by default.'),
})

const DryRunSource = OneOf('push', 'web', 'api', 'schedule', 'trigger', 'merge_request_event')
export type DryRunSource = Static<typeof DryRunSource>

const event = {
  source: described(
    Type.Optional(DryRunSource),
    'Source of the pipeline of the dry run; `push` by default. `merge_request_event` requires an open merge request from `ref`.',
  ),
  explain: described(Flag, 'Whether a dry run returns `event`; false by default.'),
}

export const LintText = Type.Object({
  content: described(Type.String(), 'Content of the CI file.'),
  dry_run: described(Flag, 'Whether to simulate the creation of a pipeline for `ref`; false by default.'),
  include_jobs: described(Flag, 'Whether to return `jobs`; false by default.'),
  ref: described(Name, 'Branch or tag of the dry run; the default branch if absent.'),
  ...event,
})

/** `content_ref` and `dry_run_ref` are newer names for `sha` and `ref`. */
export const LintCommitted = Type.Object({
  dry_run: described(Flag, 'Whether to simulate the creation of a pipeline for `ref`; false by default.'),
  include_jobs: described(Flag, 'Whether to return `jobs`; false by default.'),
  ref: described(Name, 'Branch or tag of the dry run; the default branch if absent.'),
  dry_run_ref: described(Name, 'Newer name of `ref`.'),
  sha: described(Name, 'Commit, branch or tag of the file; the default branch if absent.'),
  content_ref: described(Name, 'Newer name of `sha`.'),
  ...event,
})

export const CiKeyword = Type.Object({
  name: described(Type.String(), 'Key in the map; `*` for any other name.'),
  kinds: described(
    Type.Array(OneOf('string', 'number', 'boolean', 'list', 'map')),
    'How the value may be written.',
  ),
  about: described(Type.String(), 'What it is for, in one line.'),
  map: described(
    Nullable(Type.String()),
    'Name in `maps` of the keywords of the map that it contains, or of each map in its list; null if it contains none.',
  ),
  words: described(
    Nullable(Lines),
    'Words that its text, or each text of its list, may be; null if there are others.',
  ),
})
export type CiKeyword = Static<typeof CiKeyword>

/** The keywords of the CI language, for editors. */
export const CiKeywords = Type.Object({
  maps: described(
    Type.Record(Type.String(), Type.Array(CiKeyword)),
    'Keywords by the map that contains them: `file` is the top of a file, `header` the document before it.',
  ),
})
export type CiKeywords = Static<typeof CiKeywords>
