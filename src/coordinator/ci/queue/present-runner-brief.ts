import type { RunnerRow } from '../../database/tables/pipeline-rows.js'
import { programName } from '../../http/presenters/program-name.js'
import { isOnline, runnerStatus } from './runner-status.js'

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
