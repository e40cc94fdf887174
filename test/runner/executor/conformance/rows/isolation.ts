import { type Row, script } from '../row.js'

const NO_LIMITS = 'without root, control groups of version 1 limit nothing'

export const ISOLATION_ROWS: readonly Row[] = [
  {
    behaviour: 'a job gains no privileges, and lacks capabilities that builds do not need',
    kubernetes: { allow_privilege_escalation: false, cap_drop: ['MKNOD'] },
    jobs: [
      {
        steps: [script('grep NoNewPrivs /proc/self/status', 'mknod /tmp/null c 1 3 || echo refused')],
        expected: { state: 'success', log: [/NoNewPrivs:\s+1\n/, '\nrefused\n'] },
      },
    ],
  },
  {
    behaviour: 'a job does not see the processes and the socket of the engine',
    jobs: [
      {
        steps: [
          script(
            'test ! -e /var/run/docker.sock; test ! -e /run/podman',
            'echo "processes: $(ls -d /proc/[0-9]* | wc -l)"',
          ),
        ],
        expected: { state: 'success', log: [/\nprocesses: [0-9]\n/] },
      },
    ],
  },
  {
    behaviour: 'an init process reaps what scripts leave behind',
    jobs: [
      {
        steps: [
          script(
            'sh -c "sleep 0.1 & exit"',
            'sleep 1',
            'echo "zombies: $(grep -l "^State:.Z" /proc/[0-9]*/status | wc -l)"',
          ),
        ],
        expected: { state: 'success', log: ['\nzombies: 0\n'] },
      },
    ],
  },
  {
    behaviour: 'a script that needs more memory than the limit is killed, and the log says so',
    docker: { memory: '32m', memory_swap: '32m' },
    kubernetes: { memory_limit: '32Mi' },
    needs: { can: ({ limits }) => limits.memory, otherwise: NO_LIMITS },
    jobs: [
      {
        steps: [script('exec tail /dev/zero')],
        expected: { state: 'failed', exitCode: 137, log: ['ran out of memory'] },
      },
    ],
  },
  {
    behaviour: 'the number of processes is limited',
    except: { kubernetes: 'a pod has no such limit: it is one of the node' },
    docker: { pids_limit: 40 },
    needs: { can: ({ limits }) => limits.processes, otherwise: NO_LIMITS },
    jobs: [
      {
        steps: [script('i=0; while [ $i -lt 100 ]; do sleep 100 & i=$((i+1)); done', 'echo unlimited')],
        expected: { state: 'failed', notInLog: ['\nunlimited\n'] },
      },
    ],
  },
]
