import { type Static, Type } from 'typebox'

import { described, text } from '../../http/parameters/described.js'
import { Nullable, NullableText, OneOf } from '../../http/parameters/types.js'

const NullableInteger = Nullable(Type.Integer())

/** A line of a script of a job: an entry of `before_script`, `script` or `after_script`. */
export const JobStepRecord = Type.Object({
  section: text('Name of the section of the log, such as `step_script` or `after_script`.'),
  line: described(Type.Integer(), 'Number of the line in its script, from 1.'),
  of: described(Type.Integer(), 'Number of lines of the script.'),
  text: text('Its first line of text, up to 200 characters, masked as the log.'),
  started_at: described(NullableText, 'Start time; null for a line that did not run.'),
  duration: described(Nullable(Type.Number()), 'Run time, in seconds; null for a line that did not run.'),
  exit_code: described(
    NullableInteger,
    'Exit code; null for a line that did not run or was ended from outside.',
  ),
  failed: described(Type.Boolean(), 'Whether it is the line that failed the job.'),
  log_line: described(NullableInteger, 'Number of the line of the log that shows it; null if none does.'),
})
export type JobStepRecord = Static<typeof JobStepRecord>

const PipelineOfJob = Type.Object({
  id: described(Type.Integer(), 'ID of the pipeline.'),
  job_id: described(Type.Integer(), 'ID of the job in it.'),
  sha: text('SHA of its commit.'),
})

/** Why a job failed, in at most 2 KiB. Parts that the caller may not read, or that are not known, are left out. */
export const JobFailure = Type.Object({
  job: described(
    Type.Object({
      id: described(Type.Integer(), 'ID of the job.'),
      name: text('Name of the job.'),
      stage: text('Name of its stage.'),
      pipeline_id: described(Type.Integer(), 'ID of its pipeline.'),
    }),
    'The job.',
  ),
  cause: described(
    OneOf('script', 'infrastructure', 'pipeline'),
    'What is at fault: the script of the job; the runner, its machine or a service that it uses; or the pipeline around the job, such as an expired artifact.',
  ),
  failure_reason: text('Reason of the failure.'),
  meaning: text('Reason as a sentence, without a full stop.'),
  remedy: text('What can be done.'),
  exit_code: described(NullableInteger, 'Exit code of the script; null if unknown.'),
  step: described(
    Type.Optional(JobStepRecord),
    'Line of the script that failed. Left out if it is not known, or if the caller may not read the log.',
  ),
  log: described(
    Type.Optional(
      Type.Object({
        failing_line: described(Type.Integer(), 'Number of the line of the log that says why.'),
        lines: Type.Array(
          Type.Object({
            line: described(Type.Integer(), 'Number of the line.'),
            text: text('Its text without styles, up to 300 characters.'),
          }),
          { description: 'Lines that explain the failure, in the order of the log.' },
        ),
        full: text('Address of the lines around it.'),
      }),
    ),
    'Part of the log. Left out without a log, or if the caller may not read it.',
  ),
  tests: described(
    Type.Optional(
      Type.Object({
        failed_count: described(Type.Integer(), 'Number of tests that failed.'),
        failed: Type.Array(
          Type.Object({
            name: text('Name of the test.'),
            message: described(NullableText, 'What was wrong; null without output.'),
            failures: described(
              Type.Integer(),
              'Failures of the test in the last 90 days, this one included.',
            ),
            flaky: described(
              Type.Integer(),
              'Number of these after which it passed for the same commit, or before.',
            ),
          }),
          { description: 'The first of them.' },
        ),
        flaky_odds: described(
          Nullable(Type.Number()),
          'Share of the earlier failures of these tests that were flaky, from 0 to 1; of the test with the lowest share. Null without earlier failures.',
        ),
        full: text('Address of all of them.'),
      }),
    ),
    'Tests that failed. Left out if there are none.',
  ),
  history: described(
    Type.Object({
      recent: described(
        Type.Object({
          failed: described(Type.Integer(), 'Number of those that failed.'),
          of: described(
            Type.Integer(),
            'Number of pipelines in which the job succeeded or failed, up to 100.',
          ),
        }),
        'How often it failed lately, in the pipelines of its branch, tag or merge request.',
      ),
      first_failed: described(
        PipelineOfJob,
        'First pipeline of its branch, tag or merge request in which it failed since.',
      ),
      last_passed: described(
        Nullable(PipelineOfJob),
        'Latest pipeline before in which it succeeded; null if it did not in the last 100.',
      ),
      commits: described(
        Type.Optional(
          Type.Object({
            count: described(Type.Integer(), 'Number of commits; 50 means 50 or more.'),
            newest: Type.Array(
              Type.Object({
                id: text('Short ID of the commit.'),
                title: text('First line of its message, up to 80 characters.'),
                author: text('Name of its author.'),
              }),
              { description: 'The newest of them.' },
            ),
            full: text('Address of all of them.'),
          }),
        ),
        'Commits of `first_failed` that `last_passed` does not have. Left out if one of the two is not known, or if the caller may not read the code.',
      ),
    }),
    'Since when the job fails.',
  ),
  web_url: text('Address of the job.'),
  local: described(
    Type.Optional(Type.String()),
    'Command that runs the job on the machine of the caller. Left out if the caller may not read the code.',
  ),
})
export type JobFailure = Static<typeof JobFailure>
