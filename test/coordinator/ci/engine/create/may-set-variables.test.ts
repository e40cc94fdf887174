import { expect, test } from 'vitest'

import { maySetVariables } from '../../../../../src/coordinator/access/may-set-variables.js'
import type { OverrideRole } from '../../../../../src/coordinator/database/tables/projects.js'

const LEVELS = [0, 20, 30, 40, 50]

test.each<[role: OverrideRole, isRestricted: boolean, may: boolean[]]>([
  ['no_one_allowed', true, [false, false, false, false, false]],
  ['developer', true, [false, false, true, true, true]],
  ['maintainer', true, [false, false, false, true, true]],
  ['owner', true, [false, false, false, false, true]],
  ['no_one_allowed', false, [false, false, true, true, true]],
])(
  'with the role %s, restricted: %s, variables are given by none, 20, 30, 40, 50: %j',
  (role, restricted, may) => {
    const project = {
      restrict_user_defined_variables: restricted,
      pipeline_variables_minimum_override_role: role,
    }
    expect(LEVELS.map((level) => maySetVariables(project, level))).toEqual(may)
  },
)
