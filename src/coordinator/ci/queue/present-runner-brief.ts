import { Type } from 'typebox'

import type { RunnerRow } from '../../database/tables/pipeline-rows.js'
import { described } from '../../http/parameters/described.js'
import { NullableText } from '../../http/parameters/types.js'
import { programName } from '../../http/presenters/program-name.js'
import { isOnline, runnerStatus } from './runner-status.js'

/** Fields that the record of a runner and the records of its jobs describe alike. */
export const runnerFields = {
  id: described(Type.Integer(), 'ID of the runner.'),
  description: described(NullableText, 'Description of the runner; null if there is none.'),
  ip_address: described(NullableText, 'IP address of the last contact; null if the runner never connected.'),
  active: described(Type.Boolean(), 'Whether the runner accepts jobs; deprecated in favour of `paused`.'),
  paused: described(Type.Boolean(), 'Whether the runner is paused and gets no jobs.'),
  is_shared: described(Type.Boolean(), 'Whether the runner serves the whole instance.'),
}

/** The fields of a runner that its own record and the records of its jobs have. */
export function presentRunnerBrief(runner: RunnerRow, now: number) {
  return {
    id: runner.id,
    description: runner.description,
    ip_address: runner.ip_address,
    active: runner.active,
    paused: !runner.active,
    is_shared: runner.runner_type === 'instance_type',
    runner_type: runner.runner_type,
    name: programName(runner),
    online: runner.contacted_at === null ? null : isOnline(runner, now),
    status: runnerStatus(runner, now),
  }
}
