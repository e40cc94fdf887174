import { BUSYBOX, GIT, USER } from '../images.js'
import { type Row, script } from '../row.js'

export const USER_ROWS: readonly Row[] = [
  {
    behaviour: 'the user of the image owns the files of its job',
    uses: [USER],
    sources: 'mkdir dir; echo one > dir/file',
    jobs: [
      {
        image: { name: USER },
        variables: [{ key: 'KEYFILE', value: 'secret', file: true }],
        steps: [
          script(
            'id -u',
            'cat "$KEYFILE"; echo',
            'stat -c "%U %a" "$KEYFILE"',
            'echo two >> dir/file; echo new > new',
          ),
        ],
        artifacts: [{ paths: ['dir', 'new'], artifact_type: 'archive', artifact_format: 'zip' }],
        expected: {
          state: 'success',
          log: ['\n1000\n', '\nsecret\n', '\nbuilder 600\n'],
          artifact: { 'dir/': '', 'dir/file': 'one\ntwo\n', new: 'new\n' },
        },
      },
    ],
  },
  {
    behaviour: 'a job names its user, within those that the settings allow',
    docker: { allowed_users: ['builder', '1234:1234'] },
    kubernetes: { allowed_users: ['1000', '1234'], allowed_groups: ['1234'] },
    jobs: [
      {
        image: { name: BUSYBOX, executor_opts: { docker: { user: 'builder' } } },
        steps: [script('id -un; echo x > file')],
        expected: { state: 'success', log: ['\nbuilder\n'] },
      },
      {
        image: { name: BUSYBOX, executor_opts: { docker: { user: '1234:1234' } } },
        steps: [script('echo "$(id -u):$(id -g)"; echo x > file')],
        expected: { state: 'success', log: ['\n1234:1234\n'] },
      },
      {
        image: { name: BUSYBOX, executor_opts: { docker: { user: 'root' } } },
        steps: [script('echo never')],
        expected: {
          state: 'failed',
          reason: 'runner_configuration_error',
          log: [/does not allow the user "(root|0)" of the (image of the )?job/],
        },
      },
    ],
  },
  {
    behaviour: 'git works in the sources, for root and for another user',
    uses: [GIT],
    sources: 'echo one > file; echo x > run; chmod 755 run; ln -s file link',
    jobs: [
      {
        image: { name: GIT },
        steps: [
          script(
            'cat link; test -x run',
            'git log --format="commit %s"; git status --porcelain',
            'echo two >> file; git -c user.name=a -c user.email=a commit -qam two; git log --format="now %s" -1',
          ),
        ],
        expected: { state: 'success', log: ['\none\n', '\ncommit change\n', '\nnow two\n'] },
      },
      {
        image: { name: GIT, executor_opts: { docker: { user: 'builder' } } },
        variables: [{ key: 'HOME', value: '/tmp' }],
        steps: [
          script('git status --porcelain; git log --format="commit %s"', 'cat file; echo three >> file'),
        ],
        expected: { state: 'success', log: ['\ncommit change\n', '\none\n'] },
      },
    ],
  },
]
