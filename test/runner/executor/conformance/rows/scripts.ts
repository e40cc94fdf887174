import { afterScript, type Row, script } from '../row.js'

const MANY_VARIABLES = Array.from({ length: 20 }, (_, index) => ({
  key: `LONG_${index}`,
  value: String.fromCharCode(97 + index).repeat(60_000),
}))

export const SCRIPT_ROWS: readonly Row[] = [
  {
    behaviour:
      'a script has variables, files of variables and its directory, and hands files to the after-script',
    isQuick: true,
    jobs: [
      {
        variables: [
          { key: 'KEYFILE', value: 'first\nsecond\n', file: true },
          { key: 'GREETING', value: "it's $CI_CONCURRENT_ID" },
        ],
        steps: [
          script(
            'echo "$GREETING in $PWD"',
            'cat "$KEYFILE"',
            'echo LEFT=over >> "$GITLAB_ENV"',
            'mkdir out; echo x > out/a; echo y > /outside',
          ),
          afterScript('cat /outside', 'echo "$LEFT $CI_JOB_STATUS"'),
        ],
        artifacts: [{ name: 'result', paths: ['out/'], artifact_type: 'archive', artifact_format: 'zip' }],
        expected: {
          state: 'success',
          log: ["it's 0 in /builds/group/app\n", 'first\nsecond\n', '\ny\n', 'over success\n'],
          artifact: { 'out/': '', 'out/a': 'x\n' },
        },
      },
    ],
  },
  {
    behaviour: 'the exit code of a script is that of the job',
    isQuick: true,
    jobs: [
      {
        steps: [script('exit 7')],
        expected: { state: 'failed', reason: 'script_failure', exitCode: 7 },
      },
    ],
  },
  {
    behaviour: 'a script stops at the first command that fails',
    jobs: [
      {
        steps: [script('echo first; sh -c "exit 3"', 'echo second')],
        expected: { state: 'failed', exitCode: 3, log: ['\nfirst\n'], notInLog: ['\nsecond\n'] },
      },
    ],
  },
  {
    behaviour: 'an after-script runs after a failure, and its own failure changes nothing',
    jobs: [
      {
        steps: [script('exit 4'), afterScript('echo "status=$CI_JOB_STATUS"', 'exit 9')],
        expected: { state: 'failed', exitCode: 4, log: ['status=failed\n', 'after_script failed'] },
      },
    ],
  },
  {
    behaviour: 'a script has no standard input',
    jobs: [{ steps: [script('cat', 'echo end')], expected: { state: 'success', log: ['\nend\n'] } }],
  },
  {
    behaviour: 'processes end with their script, and files outside of the project do not',
    jobs: [
      {
        steps: [
          script('echo kept > /root/file', 'sleep 1000 & echo begun'),
          afterScript('cat /root/file', 'echo "left: $(ps | grep -c "sleep [1]000")"'),
        ],
        expected: { state: 'success', log: ['\nkept\n', '\nleft: 0\n'] },
      },
    ],
  },
  {
    behaviour: 'more than a megabyte of variables reaches the script',
    jobs: [
      {
        variables: MANY_VARIABLES,
        steps: [script('echo "${#LONG_0} ${#LONG_19}"')],
        expected: { state: 'success', log: ['\n60000 60000\n'] },
      },
    ],
  },
  {
    behaviour: 'a script that is ended by a signal of its own has its exit code, and no other explanation',
    jobs: [
      {
        steps: [script('kill -9 $$')],
        expected: { state: 'failed', exitCode: 137, notInLog: ['ran out of memory'] },
      },
      {
        steps: [script("sh -c 'kill -TERM $$'")],
        expected: { state: 'failed', exitCode: 143 },
      },
    ],
  },
  {
    behaviour: 'a script may handle a signal that it sends to its whole process group',
    jobs: [
      {
        steps: [script('trap "echo handled" USR1', 'kill -USR1 0', 'echo end')],
        expected: { state: 'success', log: ['\nhandled\n', '\nend\n'] },
      },
    ],
  },
]
