import { afterScript, type Row, script } from '../row.js'
import type { RowScene } from '../scene.js'

const ID = 124

/** Cancels the job when it has printed the line. The after-script still runs if the state is `canceling`. */
function cancelAt(line: string, state: 'canceling' | 'canceled') {
  return async (scene: RowScene) => {
    await scene.seen(`\n${line}\n`)
    scene.coordinator.jobStatus.set(ID, state)
  }
}

export const STOP_ROWS: readonly Row[] = [
  {
    behaviour: 'a canceled job ends its container, then runs its after-script',
    isQuick: true,
    jobs: [
      {
        steps: [script('echo begun', 'sleep 600'), afterScript('echo "status=$CI_JOB_STATUS"')],
        during: cancelAt('begun', 'canceling'),
        expected: { state: 'failed', log: ['status=canceled\n'] },
      },
    ],
  },
  {
    behaviour: 'a canceled script gets SIGTERM and some time to end',
    jobs: [
      {
        steps: [script('trap "echo told; exit 0" TERM', 'echo begun', 'sleep 1000 & wait')],
        during: cancelAt('begun', 'canceling'),
        expected: { state: 'failed', log: ['\ntold\n'] },
      },
    ],
  },
  {
    behaviour: 'a canceled script that ignores SIGTERM is killed, with its processes',
    jobs: [
      {
        steps: [
          script('trap "" TERM', 'echo begun', 'while true; do sleep 1000; done'),
          afterScript('echo "left: $(ps | grep -c "sleep [1]000")"'),
        ],
        during: cancelAt('begun', 'canceling'),
        expected: { state: 'failed', log: ['\nleft: 0\n'] },
      },
    ],
  },
  {
    behaviour: 'a job over its timeout ends without an after-script',
    jobs: [
      {
        runner_info: { timeout: 30 },
        steps: [script('echo begun', 'sleep 600'), afterScript('echo never')],
        expected: {
          state: 'failed',
          reason: 'job_execution_timeout',
          log: ['begun'],
          notInLog: ['\nnever\n'],
        },
      },
    ],
  },
  {
    behaviour: 'a script over its own timeout is followed by the after-script',
    jobs: [
      {
        variables: [{ key: 'RUNNER_SCRIPT_TIMEOUT', value: '10s' }],
        steps: [script('echo begun', 'sleep 600'), afterScript('echo "status=$CI_JOB_STATUS"')],
        expected: { state: 'failed', log: ['begun', /status=\w+\n/] },
      },
    ],
  },
  {
    behaviour: 'the artifacts of a canceled job that are for every result are kept',
    jobs: [
      {
        steps: [script('echo half > result; echo begun', 'sleep 600')],
        artifacts: [{ paths: ['result'], when: 'always', artifact_type: 'archive', artifact_format: 'zip' }],
        during: cancelAt('begun', 'canceling'),
        expected: { state: 'failed', artifact: { result: 'half\n' } },
      },
    ],
  },
  {
    behaviour: 'a job that the coordinator no longer knows leaves nothing behind',
    jobs: [
      {
        steps: [script('echo begun', 'sleep 600')],
        during: async (scene) => {
          await scene.seen('\nbegun\n')
          scene.coordinator.misbehave('trace', { status: 403 })
          scene.coordinator.misbehave('update', { status: 403, headers: { 'job-status': 'canceled' } })
          scene.coordinator.jobStatus.set(ID, 'canceled')
        },
        expected: {
          state: 'failed',
        },
      },
    ],
  },
]
