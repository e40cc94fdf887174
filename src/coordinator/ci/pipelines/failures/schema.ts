import { type Static, Type } from 'typebox'

import { described } from '../../../http/parameters/described.js'
import { Nullable, NullableText, OneOf } from '../../../http/parameters/types.js'
import { JobFailure, JobStepRecord } from '../../failures/schema.js'

/** A test that failed in a job. */
export const FailedTest = Type.Object({
  name: described(Type.String(), 'Name of the test.'),
  classname: described(Type.String(), 'Class of the test; may be empty.'),
  suite: described(Type.String(), 'Name of the suite: that of the job without its index.'),
  digest: described(
    Type.String(),
    'Identifies the test in the project, see `GET /projects/:id/test_cases/:digest`.',
  ),
  message: described(NullableText, 'Line of the output that says what was wrong; null without output.'),
  output: described(NullableText, 'First 2,000 characters of the output; null if there is none.'),
})
export type FailedTest = Static<typeof FailedTest>

/** A failed job of a pipeline, with what its log says. */
export const PipelineFailure = Type.Object({
  id: described(Type.Integer(), 'ID of the job.'),
  name: described(Type.String(), 'Name of the job.'),
  kind: described(OneOf('job', 'trigger'), 'A job of a runner, or a trigger job, which has no log.'),
  stage: described(Type.String(), 'Name of the stage.'),
  status: described(Type.String(), 'Always `failed`.'),
  allow_failure: described(Type.Boolean(), 'Whether the pipeline continued when the job failed.'),
  failure_reason: described(Type.String(), 'Reason of the failure.'),
  exit_code: described(Nullable(Type.Integer()), 'Exit code of the script; null if unknown.'),
  cause: described(
    JobFailure.properties.cause,
    'What is at fault, as in `GET /projects/:id/jobs/:job_id/failure`.',
  ),
  failure: described(NullableText, 'Address of that summary; null for a trigger job.'),
  step: described(
    Nullable(JobStepRecord),
    'Line of the script that failed; null if it is not known, and where the caller may not read the log.',
  ),
  section: described(
    NullableText,
    'Title of the section of the log that failed; null without one, and where the caller may not read the log.',
  ),
  first_line: described(Nullable(Type.Integer()), 'Number of the first of `lines`; null without lines.'),
  failing_line: described(
    Nullable(Type.Integer()),
    'Number of the line that says why the job failed, the first of the surest messages; null without lines.',
  ),
  lines: described(
    Type.Array(Type.String()),
    'Up to 40 lines around `failing_line`, in the section or the log, as in `GET …/trace/lines`, each up to 1 KiB. Empty if the caller may not read the log.',
  ),
  style: described(Type.String(), 'Style before the first line, as in `GET …/trace/lines`.'),
  missing_bytes: described(
    Type.Integer(),
    'Bytes at the end of the log that are gone, because it is damaged; 0 otherwise, and if the caller may not read the log.',
  ),
  failed_tests: described(Type.Array(FailedTest), 'First 10 tests that failed.'),
  failed_tests_count: described(Type.Integer(), 'Number of tests that failed.'),
  recent: described(
    Type.Object({
      failed: described(Type.Integer(), 'Number of those that failed.'),
      of: described(Type.Integer(), 'Number of jobs of this name that succeeded or failed.'),
    }),
    'How often the job failed in the last 20 pipelines of its branch, tag or merge request, this one included.',
  ),
})
export type PipelineFailure = Static<typeof PipelineFailure>
