import { type Row, script } from '../row.js'

const CACHE = { key: 'k', paths: ['kept/'], policy: 'pull-push', when: 'on_success' }
const ZIP = { artifact_type: 'archive', artifact_format: 'zip' } as const
const PROTECTED = { protected: true }

export const FILE_ROWS: readonly Row[] = [
  {
    behaviour: 'a cache reaches the next job, and no job of another trust',
    except: { kubernetes: 'a pod keeps no caches: they are at the coordinator or in a bucket' },
    jobs: [
      {
        cache: [CACHE],
        steps: [script('mkdir -p kept/sub; echo cached > kept/sub/file; ln -s sub/file kept/link')],
        expected: { state: 'success' },
      },
      {
        cache: [CACHE],
        steps: [script('cat kept/sub/file; readlink kept/link')],
        expected: { state: 'success', log: ['\ncached\n', '\nsub/file\n'] },
      },
      {
        cache: [CACHE],
        git_info: {
          repo_url: 'http://127.0.0.1/group/app.git',
          ref: 'main',
          sha: '1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d',
          ...PROTECTED,
        },
        steps: [script('test ! -e kept && echo nothing')],
        expected: { state: 'success', log: ['\nnothing\n'] },
      },
    ],
  },
  {
    behaviour: 'an artifact has what its patterns select, and links as links',
    jobs: [
      {
        steps: [
          script(
            'mkdir -p out/sub empty; echo y > out/sub/a.txt; echo n > out/other; echo x > out/sub/b.log',
            'ln -s /etc/passwd out/absolute.txt; ln -s missing out/dangling.txt; ln -s sub out/folder.txt',
          ),
        ],
        artifacts: [{ paths: ['out/**/*.txt', 'empty'], exclude: ['**/none'], ...ZIP }],
        expected: {
          state: 'success',
          artifact: {
            'out/': '',
            'out/sub/': '',
            'empty/': '',
            'out/sub/a.txt': 'y\n',
            'out/absolute.txt': '-> /etc/passwd',
            'out/dangling.txt': '-> missing',
            'out/folder.txt': '-> sub',
          },
        },
      },
    ],
  },
  {
    behaviour: 'untracked files are an artifact, and those that git ignores too',
    sources: 'echo tracked > tracked; echo "*.o" > .gitignore',
    jobs: [
      {
        steps: [script('echo new > new; echo object > a.o; echo changed > tracked')],
        artifacts: [{ untracked: true, ...ZIP }],
        expected: { state: 'success', artifact: { new: 'new\n', 'a.o': 'object\n' } },
      },
    ],
  },
  {
    behaviour: 'the artifact of a failed job is uploaded if it is for failures',
    jobs: [
      {
        steps: [script('echo why > reason; exit 1')],
        artifacts: [
          { paths: ['reason'], when: 'on_failure', ...ZIP },
          { paths: ['none'], when: 'on_success', ...ZIP },
        ],
        expected: { state: 'failed', exitCode: 1, artifact: { reason: 'why\n' } },
      },
    ],
  },
  {
    behaviour: 'the next job of a project starts with the files of its commit',
    sources: 'mkdir dir; echo one > dir/file',
    jobs: [
      {
        steps: [
          script('echo left > left; echo two > dir/file; mkdir other; echo x > other/y; rm -rf .git/hooks'),
        ],
        expected: { state: 'success' },
      },
      {
        steps: [script('cat dir/file; find . -path ./.git -prune -o -type f -print')],
        expected: { state: 'success', log: ['\none\n./dir/file\n'] },
      },
    ],
  },
  {
    behaviour: 'a path of the settings is a volume that the next job finds, writable for every user',
    except: { kubernetes: 'volumes for later jobs are claims of the cluster' },
    docker: { volumes: ['/kept'] },
    jobs: [
      {
        image: { name: 'switchyard-test-busybox:latest', executor_opts: { docker: { user: 'builder' } } },
        steps: [script('echo volume > /kept/file')],
        expected: { state: 'success' },
      },
      { steps: [script('cat /kept/file')], expected: { state: 'success', log: ['\nvolume\n'] } },
    ],
  },
  {
    behaviour: 'a folder of memory has the size of the settings',
    except: { kubernetes: 'the cluster decides whether it limits folders of memory' },
    docker: { tmpfs: { '/fast': 'rw,size=1m' } },
    jobs: [
      {
        steps: [
          script(
            'grep -c " /fast tmpfs " /proc/mounts',
            'head -c 500000 /dev/zero > /fast/half',
            'head -c 2000000 /dev/zero > /fast/more 2>/dev/null || echo full',
          ),
        ],
        expected: { state: 'success', log: ['\n1\n', '\nfull\n'] },
      },
    ],
  },
]
