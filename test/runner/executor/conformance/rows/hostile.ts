import { hostileZip } from '../../../../support/hostile-zip.js'
import { type Row, script } from '../row.js'

const ZIP = { artifact_type: 'archive', artifact_format: 'zip' } as const
const DEPENDENCY = { id: 90, name: 'earlier', token: 'job-token-of-90' }

/** A job that gets the archive as the artifact of an earlier one. */
function dependsOn(archive: Buffer) {
  return {
    dependencies: [{ ...DEPENDENCY, artifacts_file: { filename: 'artifacts.zip', size: archive.length } }],
  }
}

const ESCAPING = hostileZip([{ name: '../../escaped', content: 'x' }])
const HONEST = hostileZip([
  { name: 'dir/', mode: 0o040755 },
  { name: 'dir/file', content: 'from a job' },
  { name: 'link', content: 'dir/file', mode: 0o120777 },
])

export const HOSTILE_ROWS: readonly Row[] = [
  {
    behaviour: 'files of an earlier job are there, with links and modes',
    jobs: [
      {
        ...dependsOn(HONEST),
        steps: [script('cat link; echo; readlink link; ls -ld dir')],
        expected: { state: 'success', log: ['\nfrom a job\n', '\ndir/file\n'] },
        prepare: (scene) => void scene.coordinator.artifacts.set(DEPENDENCY.id, HONEST),
      },
    ],
  },
  {
    behaviour: 'an archive that leaves the project is refused, and the script does not run',
    jobs: [
      {
        ...dependsOn(ESCAPING),
        steps: [script('echo never')],
        expected: { state: 'failed', notInLog: ['\nnever\n'] },
        prepare: (scene) => void scene.coordinator.artifacts.set(DEPENDENCY.id, ESCAPING),
      },
    ],
  },
  {
    behaviour: 'an artifact never contains files of the host or of the image through a link',
    jobs: [
      {
        steps: [script('mkdir out; echo mine > out/file; rm -rf other; ln -s /etc other; ln -s / out/root')],
        artifacts: [{ paths: ['out', 'other/passwd', 'out/root/etc/passwd'], ...ZIP }],
        expected: { state: 'success', artifact: { 'out/': '', 'out/file': 'mine\n', 'out/root': '-> /' } },
      },
    ],
  },
  {
    behaviour: 'pipes, sockets and odd names are left out of artifacts, and nothing waits for them',
    jobs: [
      {
        steps: [
          script(
            'mkdir out; echo mine > out/file; mkfifo out/pipe; echo x > "out/line$(printf "\\n_")end"',
            String.raw`printf x > "$(printf 'out/bad\377')"`,
          ),
        ],
        artifacts: [{ paths: ['out'], ...ZIP }],
        expected: {
          state: 'success',
          artifact: { 'out/': '', 'out/file': 'mine\n', 'out/line\n_end': 'x\n' },
        },
      },
    ],
  },
  {
    behaviour:
      'files that their owner may not read, and folders without permissions, do not stop the next job',
    sources: 'echo one > file',
    jobs: [
      {
        steps: [
          script('mkdir -p closed/in; echo x > closed/in/x; chmod 000 closed/in closed; chmod 000 file'),
        ],
        expected: { state: 'success' },
      },
      { steps: [script('cat file; ls')], expected: { state: 'success', log: ['\none\nfile\n'] } },
    ],
  },
  {
    behaviour: 'a job that removes its directories ends, and the next one has them again',
    sources: 'echo one > file',
    jobs: [
      {
        steps: [
          script('cd /; rm -rf "$CI_PROJECT_DIR" "$CI_PROJECT_DIR.tmp"/* 2>/dev/null || true; echo removed'),
        ],
        expected: { state: 'success', log: ['\nremoved\n'] },
      },
      { steps: [script('cat file')], expected: { state: 'success', log: ['\none\n'] } },
    ],
  },
]
