import { expect } from 'vitest'

import { WEB } from '../images.js'
import { afterScript, type Row, script } from '../row.js'

export const SURVIVAL_ROWS: readonly Row[] = [
  {
    behaviour: 'a job continues when its runner was killed, with its whole log and its services',
    isProcess: true,
    uses: [WEB],
    jobs: [
      {
        services: [{ name: WEB, alias: 'db' }],
        steps: [
          script(
            'i=0; while [ $i -lt 2000 ]; do echo line $i; i=$((i+1)); done; echo ready',
            'sleep 8; echo after; wget -q -O - http://db/passwd | grep -c root',
          ),
          afterScript('echo "status=$CI_JOB_STATUS"'),
        ],
        during: async (scene) => {
          await scene.seen('\nready\n')
          await scene.killProcess()
          scene.startProcess()
        },
        expected: {
          state: 'success',
          also: ({ log }) => {
            const lines = Array.from({ length: 2000 }, (_, index) => `line ${index}\n`).join('')
            expect(log.split(lines)).toHaveLength(2)
            expect(log.split('\nready\n')).toHaveLength(2)
            expect(log).toContain('\nafter\n')
            expect(log).toContain('status=success\n')
          },
        },
      },
    ],
  },
  {
    behaviour: 'a job that ended without its runner has its exit code and its output',
    isProcess: true,
    jobs: [
      {
        steps: [script('echo ready', 'sleep 2; echo last; exit 5')],
        during: async (scene) => {
          await scene.seen('\nready\n')
          await scene.killProcess()
          await new Promise((resolve) => setTimeout(resolve, 5000)) // nothing reports the end without a runner
          scene.startProcess()
        },
        expected: { state: 'failed', exitCode: 5, log: ['\nready\n', '\nlast\n'] },
      },
    ],
  },
  {
    behaviour: 'a job whose container others removed fails',
    jobs: [
      {
        steps: [script('echo ready', 'sleep 600')],
        during: async (scene) => {
          await scene.seen('\nready\n')
          await scene.removeContainers()
        },
        expected: { state: 'failed', log: ['\nready\n'] },
      },
    ],
  },
]
