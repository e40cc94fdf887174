import { type Static, Type } from 'typebox'

import { Nullable, OneOf } from '../../http/parameters/types.js'

const Lines = Type.Array(Type.String())
const Written = Type.Unknown({ description: 'As the file has it' })

/** A job of the file (API gaps, I5). */
export const LintedJob = Type.Object({
  name: Type.String(),
  stage: Type.String(),
  before_script: Lines,
  script: Lines,
  after_script: Lines,
  tag_list: Lines,
  /** Of a dry run there is none: the jobs are those that were chosen. */
  only: Type.Optional(Written),
  except: Type.Optional(Written),
  environment: Nullable(Type.String()),
  when: Type.String(),
  allow_failure: Type.Boolean(),
  needs: Nullable(
    Type.Array(Type.Object({ name: Type.String(), artifacts: Type.Boolean(), optional: Type.Boolean() })),
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

/** An included file; pages that show it there are none. */
export const LintedInclude = Type.Object({
  type: Type.String(),
  location: Type.String(),
  blob: Type.Null(),
  raw: Type.Null(),
  extra: Type.Object({}),
  context_project: Type.String(),
  context_sha: Type.String(),
})

export const LintReport = Type.Object({
  valid: Type.Boolean(),
  errors: Type.Array(Type.String()),
  warnings: Type.Array(Type.String()),
  merged_yaml: Nullable(Type.String()),
  includes: Type.Array(LintedInclude),
  jobs: Type.Optional(Type.Array(LintedJob)),
})
export type LintReport = Static<typeof LintReport>

/** The older report, of a text without a project (API gaps, I5). */
export const TextReport = Type.Object({
  status: OneOf('valid', 'invalid'),
  errors: Type.Array(Type.String()),
  warnings: Type.Array(Type.String()),
  merged_yaml: Type.Optional(Nullable(Type.String())),
  jobs: Type.Optional(Type.Array(LintedJob)),
})
export type TextReport = Static<typeof TextReport>

const Flag = Type.Optional(Type.Boolean())
const Name = Type.Optional(Type.String())

export const LintTextAlone = Type.Object({
  content: Type.String(),
  include_merged_yaml: Flag,
  include_jobs: Flag,
})

export const LintText = Type.Object({
  content: Type.String(),
  dry_run: Flag,
  include_jobs: Flag,
  /** Branch or tag of a dry run; the default branch when absent. */
  ref: Name,
})

/** `content_ref` and `dry_run_ref` are newer names for `sha` and `ref`. */
export const LintCommitted = Type.Object({
  dry_run: Flag,
  include_jobs: Flag,
  ref: Name,
  dry_run_ref: Name,
  sha: Name,
  content_ref: Name,
})
