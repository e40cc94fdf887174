import { type Static, Type } from 'typebox'

import { described } from '../../http/parameters/described.js'
import { Nullable, OneOf } from '../../http/parameters/types.js'

const Lines = Type.Array(Type.String())
const Written = Type.Unknown({ description: 'As the file has it' })

/** A job of the file (API, I5). */
export const LintedJob = Type.Object({
  name: described(Type.String(), 'Name of the job.'),
  stage: described(Type.String(), 'Its stage.'),
  before_script: described(Lines, 'Commands before the script.'),
  script: described(Lines, 'Its commands.'),
  after_script: described(Lines, 'Commands after the script, whatever came of it.'),
  tag_list: described(Lines, 'Tags that its runner must have.'),
  only: described(
    Type.Optional(Written),
    'As the file has it; absent from a dry run, whose jobs were chosen already.',
  ),
  except: described(Type.Optional(Written), 'As the file has it; absent from a dry run.'),
  environment: described(Nullable(Type.String()), 'What it deploys to; null = nothing.'),
  when: described(Type.String(), 'When it runs.'),
  allow_failure: described(Type.Boolean(), 'Whether its failure fails the pipeline.'),
  needs: described(
    Nullable(
      Type.Array(
        Type.Object({
          name: described(Type.String(), 'Name of the job.'),
          artifacts: described(Type.Boolean(), 'Whether its artifacts are fetched.'),
          optional: described(Type.Boolean(), 'Whether it may be missing.'),
        }),
      ),
    ),
    'Jobs that it waits for; null = those of earlier stages.',
  ),
  inputs: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String({ description: 'Named in the job as `${{ job.inputs.NAME }}`' }),
        type: Type.String({ description: '`string`, `number`, `boolean` or `array`' }),
        default: Type.String({ description: 'As text; what the job gets when nobody gives a value' }),
      }),
      { description: 'What may be given when the job is started; absent = nothing' },
    ),
  ),
})
export type LintedJob = Static<typeof LintedJob>

/** An included file. */
export const LintedInclude = Type.Object({
  type: described(Type.String(), 'How it is included.'),
  location: described(Type.String(), 'Its path or address.'),
  blob: described(
    Nullable(Type.String()),
    'Address of its page at the commit that it is taken from; null = it is of no project here.',
  ),
  raw: described(
    Nullable(Type.String()),
    'Address of its text: over the API, or where a remote file is; null for a template.',
  ),
  extra: described(Type.Object({}), 'What else is to be told; empty.'),
  context_project: described(
    Nullable(Type.String()),
    'Path of the project whose file includes it; null = that file is of no project here.',
  ),
  context_sha: described(Nullable(Type.String()), 'Commit of that file; null as before.'),
})
export type LintedInclude = Static<typeof LintedInclude>

export const LintReport = Type.Object({
  valid: described(Type.Boolean(), 'Whether the file can be used.'),
  errors: described(Type.Array(Type.String()), 'What is wrong with it.'),
  warnings: described(Type.Array(Type.String()), 'What is better done otherwise.'),
  merged_yaml: described(
    Nullable(Type.String()),
    'The configuration with everything included and extended; null when there is none.',
  ),
  includes: described(Type.Array(LintedInclude), 'The files that it includes.'),
  jobs: described(Type.Optional(Type.Array(LintedJob)), 'Its jobs; only when asked for.'),
})
export type LintReport = Static<typeof LintReport>

/** The older report, of a text without a project (API, I5). */
export const TextReport = Type.Object({
  status: described(OneOf('valid', 'invalid'), 'Whether the text can be used.'),
  errors: described(Type.Array(Type.String()), 'What is wrong with it.'),
  warnings: described(Type.Array(Type.String()), 'What is better done otherwise.'),
  merged_yaml: described(
    Type.Optional(Nullable(Type.String())),
    'The configuration with everything included and extended; only when asked for.',
  ),
  jobs: described(Type.Optional(Type.Array(LintedJob)), 'Its jobs; only when asked for.'),
})
export type TextReport = Static<typeof TextReport>

const Flag = Type.Optional(Type.Boolean())
const Name = Type.Optional(Type.String())

export const LintTextAlone = Type.Object({
  content: described(Type.String(), 'Text of the CI file.'),
  include_merged_yaml: described(Flag, 'Whether `merged_yaml` is told; false by default.'),
  include_jobs: described(Flag, 'Whether `jobs` are told; false by default.'),
})

export const LintText = Type.Object({
  content: described(Type.String(), 'Text of the CI file.'),
  dry_run: described(Flag, 'Whether the jobs are chosen as a pipeline of `ref` would; false by default.'),
  include_jobs: described(Flag, 'Whether `jobs` are told; false by default.'),
  ref: described(Name, 'Branch or tag of a dry run; the default branch when absent.'),
})

/** `content_ref` and `dry_run_ref` are newer names for `sha` and `ref`. */
export const LintCommitted = Type.Object({
  dry_run: described(Flag, 'Whether the jobs are chosen as a pipeline of `ref` would; false by default.'),
  include_jobs: described(Flag, 'Whether `jobs` are told; false by default.'),
  ref: described(Name, 'Branch or tag of a dry run; the default branch when absent.'),
  dry_run_ref: described(Name, 'Newer name of `ref`.'),
  sha: described(Name, 'Commit, branch or tag whose file is checked; the default branch when absent.'),
  content_ref: described(Name, 'Newer name of `sha`.'),
})
