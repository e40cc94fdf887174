import { type Static, Type } from 'typebox'

import { described } from './described.js'

/** More lines of one script are not reported. */
export const MAX_SCRIPT_STEPS = 200
/** Characters of the text of a line. */
export const MAX_STEP_TEXT = 200

/**
 * One line of a script of a job: an entry of `before_script`, `script` or `after_script`, which may have several lines
 * of text. Beyond the reference; sent only to a coordinator with the feature `script_steps`.
 */
export const ScriptStep = Type.Object({
  section: described(
    Type.String({ maxLength: 255 }),
    'Name of the section of the log, such as `step_script`.',
  ),
  line: described(Type.Integer({ minimum: 1 }), 'Number of the line in its script, from 1.'),
  of: described(Type.Integer({ minimum: 1 }), 'Number of lines of the script.'),
  text: described(
    Type.String({ maxLength: 1000 }),
    'Its first line of text, masked as the log, up to 200 characters.',
  ),
  started_at: described(
    Type.Union([Type.Integer(), Type.Null()]),
    'Start time, in milliseconds since 1970; null for a line that did not run.',
  ),
  duration: described(
    Type.Union([Type.Number({ minimum: 0 }), Type.Null()]),
    'Run time, in seconds; null for a line that did not run.',
  ),
  exit_code: described(
    Type.Union([Type.Integer(), Type.Null()]),
    'Exit code; null for a line that did not run or was ended from outside.',
  ),
})
export type ScriptStep = Static<typeof ScriptStep>
