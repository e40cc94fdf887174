import { BUSYBOX, DEAF, ENTRYPOINT, SHELL_LESS } from '../images.js'
import { type Row, script } from '../row.js'

const PRINT = script('echo "value: $FROM_ENTRYPOINT."')

export const IMAGE_ROWS: readonly Row[] = [
  {
    behaviour: 'the entrypoint of an image runs before the script',
    except: { kubernetes: 'its entrypoint is ignored there' },
    uses: [ENTRYPOINT],
    jobs: [
      {
        image: { name: ENTRYPOINT },
        steps: [PRINT],
        expected: { state: 'success', log: [/entrypoint ran\n[^]*\nvalue: yes\.\n/] },
      },
    ],
  },
  {
    behaviour: 'a job clears or replaces the entrypoint',
    except: { kubernetes: 'its entrypoint is ignored there' },
    uses: [ENTRYPOINT],
    jobs: [
      {
        image: { name: ENTRYPOINT, entrypoint: [''] },
        steps: [PRINT],
        expected: { state: 'success', log: ['\nvalue: .\n'], notInLog: ['entrypoint ran'] },
      },
      {
        image: { name: ENTRYPOINT, entrypoint: ['env', 'FROM_ENTRYPOINT=job'] },
        steps: [PRINT],
        expected: { state: 'success', log: ['\nvalue: job.\n'] },
      },
    ],
  },
  {
    behaviour: 'the entrypoint of a job is ignored if the settings say so',
    except: { kubernetes: 'its entrypoint is ignored there' },
    uses: [ENTRYPOINT],
    docker: { disable_entrypoint_overwrite: true },
    jobs: [
      {
        image: { name: ENTRYPOINT, entrypoint: [''] },
        steps: [PRINT],
        expected: { state: 'success', log: ['Entrypoint override disabled', '\nvalue: yes.\n'] },
      },
    ],
  },
  {
    behaviour: 'an entrypoint that does not run the script fails the job, whatever its exit code',
    except: { kubernetes: 'its entrypoint is ignored there' },
    uses: [DEAF],
    jobs: [
      {
        image: { name: DEAF },
        steps: [script('echo never')],
        expected: {
          state: 'failed',
          reason: 'runner_configuration_error',
          log: ['ended before the script of the job did'],
        },
      },
    ],
  },
  {
    behaviour: 'an image without a shell is named',
    isQuick: true,
    uses: [SHELL_LESS],
    jobs: [
      {
        image: { name: SHELL_LESS },
        steps: [script('echo never')],
        expected: {
          state: 'failed',
          reason: 'runner_configuration_error',
          log: [`The image "${SHELL_LESS}" cannot run a script`],
        },
      },
    ],
  },
  {
    behaviour: 'an image that is not there is named, and why it is not pulled',
    docker: { allowed_pull_policies: ['never', 'if-not-present'] },
    kubernetes: { allowed_pull_policies: ['never', 'if-not-present'] },
    jobs: [
      {
        image: { name: 'switchyard-test-missing:1', pull_policy: ['never'] },
        steps: [script('echo never')],
        expected: {
          state: 'failed',
          reason: 'runner_configuration_error',
          log: [/The image "switchyard-test-missing:1" is not on (this machine|the node)/],
        },
      },
      {
        image: { name: '127.0.0.1:1/none/such:1', pull_policy: ['if-not-present'] },
        steps: [script('echo never')],
        expected: { state: 'failed', log: ['127.0.0.1:1/none/such:1" cannot be pulled'] },
      },
    ],
  },
  {
    behaviour: 'an image that the settings do not allow is refused',
    docker: { allowed_images: ['alpine:*'] },
    kubernetes: { allowed_images: ['alpine:*'] },
    jobs: [
      {
        image: { name: 'debian:12' },
        steps: [script('echo never')],
        expected: {
          state: 'failed',
          reason: 'runner_configuration_error',
          log: ['The runner does not allow the image "debian:12"; allowed: "alpine:*"'],
        },
      },
    ],
  },
  {
    behaviour:
      'an option of the image that the runner does not know fails the job before anything is created',
    isQuick: true,
    jobs: [
      {
        image: { name: BUSYBOX, executor_opts: { docker: { memory: '1g' } } },
        steps: [script('echo never')],
        expected: {
          state: 'failed',
          reason: 'runner_system_failure',
          log: ['the image of the job has the option "docker.memory"'],
          notInLog: ['Using Docker executor'],
        },
      },
    ],
  },
]
