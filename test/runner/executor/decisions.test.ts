import { describe, expect, test } from 'vitest'

import { expandBraces, globMatcher } from '../../../src/lib/glob.js'
import { parseByteSize } from '../../../src/runner/executor/docker/byte-size.js'
import {
  buildContainerName,
  containerNamePrefix,
} from '../../../src/runner/executor/docker/containers/container-name.js'
import { containerOptions } from '../../../src/runner/executor/docker/containers/container-options.js'
import { Demultiplexer } from '../../../src/runner/executor/docker/containers/container-stream.js'
import { isInitMissing, startFailure } from '../../../src/runner/executor/docker/containers/start-failure.js'
import {
  isImageAllowed,
  isImageName,
  withDefaultTag,
} from '../../../src/runner/executor/docker/images/image-name.js'
import { isPassing, pullFailureReason } from '../../../src/runner/executor/docker/images/pull-failure.js'
import { effectivePullPolicies } from '../../../src/runner/executor/docker/images/pull-policy.js'
import { PullProgress } from '../../../src/runner/executor/docker/images/shared-pulls.js'
import type { DockerExecutorSettings, PullPolicy } from '../../../src/runner/executor/docker/settings.js'
import { commandFailure } from '../../../src/runner/executor/docker/shell-command.js'
import type { ContainerWorkspace, ExecutorJob } from '../../../src/runner/executor/executor.js'
import { executorJob } from '../../support/executor-job.js'

const SETTINGS: DockerExecutorSettings = { image: 'alpine', runnerShortToken: 'aB_c', systemId: 's_1' }
const JOB = executorJob()
const PLACE: ContainerWorkspace = {
  environment: { A: '1', B: 'x=y' },
  mounts: [{ hostPath: '/host/work', containerPath: '/builds/g/p', readOnly: true }],
  workingDirectory: '/builds/g/p',
  scriptPath: '/builds/g/p.tmp/script',
}

function optionsFor(settings: Partial<DockerExecutorSettings> = {}, job: Partial<ExecutorJob> = {}) {
  const plan = { settings: { ...SETTINGS, ...settings }, job: { ...JOB, ...job } }
  return containerOptions({ ...plan, place: PLACE, markToken: 'ab12', imageId: 'sha256:1', withInit: true })
}

describe('the options of a container', () => {
  test('are safe ones by default', () => {
    expect(optionsFor()).toMatchObject({
      Image: 'sha256:1',
      Hostname: 'runner-abc-project-3-concurrent-1',
      Env: ['A=1', 'B=x=y'],
      WorkingDir: '/builds/g/p',
      HostConfig: {
        Mounts: [{ Type: 'bind', Source: '/host/work', Target: '/builds/g/p', ReadOnly: true }],
        Privileged: false,
        SecurityOpt: ['no-new-privileges'],
        LogConfig: { Type: 'local' },
        Init: true,
      },
      Labels: {
        'com.gitlab.gitlab-runner.managed': 'true',
        'com.gitlab.gitlab-runner.job.id': '7',
        'com.gitlab.gitlab-runner.runner.system_id': 's_1',
        'com.gitlab.gitlab-runner.type': 'build',
      },
    })
    expect(optionsFor()).not.toHaveProperty('Entrypoint')
    expect(optionsFor()).not.toHaveProperty('User')
    expect(optionsFor().HostConfig).not.toHaveProperty('NetworkMode')
  })

  test('take user and entrypoint of the job', () => {
    const image = { name: 'x', entrypoint: ['/run'], executor_opts: { docker: { user: 1000 } } }
    expect(optionsFor({}, { image })).toMatchObject({ Entrypoint: ['/run'], User: '1000' })
    expect(optionsFor({ user: 'root' }, { image })).toMatchObject({ User: 'root' })
    expect(optionsFor({ disableEntrypointOverwrite: true }, { image })).not.toHaveProperty('Entrypoint')
  })
})

test('a container name has a prefix, 16 random digits and its kind', () => {
  const prefix = containerNamePrefix('_Xy-1', 12, 0)
  expect(prefix).toBe('runner-xy-1-project-12-concurrent-0')
  expect(buildContainerName(prefix)).toMatch(/^runner-xy-1-project-12-concurrent-0-[0-9a-f]{16}-build$/)
  expect(containerNamePrefix('x'.repeat(80), 1, 1)).toHaveLength(63)
})

test.each([
  ['512m', 536870912],
  ['1g', 1073741824],
  ['64KB', 65536],
  ['1.5k', 1536],
  ['100', 100],
  ['', undefined],
  ['-1', undefined],
  ['1x', undefined],
])('%j is %j bytes', (text, bytes) => {
  expect(parseByteSize(text)).toBe(bytes)
})

test.each([
  ['alpine', 'alpine:latest'],
  ['alpine:3', 'alpine:3'],
  ['host:5000/alpine', 'host:5000/alpine:latest'],
  ['alpine@sha256:00', 'alpine@sha256:00'],
  [`sha256:${'0'.repeat(64)}`, `sha256:${'0'.repeat(64)}`],
])('the image %j is requested as %j', (image, name) => {
  expect(withDefaultTag(image)).toBe(name)
})

test.each([
  ['alpine', true],
  ['alpine:3.20', true],
  ['group/app__x.y-z:1', true],
  ['127.0.0.1:5000/group/app:1', true],
  ['Registry.Example.com/app', true],
  [`registry.example.com/app@sha256:${'0'.repeat(64)}`, true],
  [`app:1@sha256:${'0'.repeat(64)}`, true],
  [`sha256:${'0'.repeat(64)}`, true],
  ['', false],
  ['/', false],
  ['a//b', false],
  ['../containers/x', false],
  ['registry.example.com/../x', false],
  ['app?fromSrc=x', false],
  ['app#x', false],
  ['app:1:2', false],
  ['Upper', false],
  ['app:', false],
  ['a b', false],
  ['app@sha256:00', false],
  ['x'.repeat(600), false],
  [`${'a-'.repeat(200)}!`, false],
])('%j is a valid image name: %j', (name, expected) => {
  expect(isImageName(name)).toBe(expected)
})

test.each([
  ['own', ['x'], true],
  ['ruby:3', [], true],
  ['ruby:3', ['ruby:*'], true],
  ['host/ruby:3', ['ruby:*'], false],
  ['host/a/b/ruby:3', ['host/**'], true],
])('the image %j under %j is allowed: %j', (image, patterns, allowed) => {
  expect(isImageAllowed(image, patterns, 'own')).toBe(allowed)
})

test.each<[string[] | null, PullPolicy[], PullPolicy[], PullPolicy[] | undefined]>([
  [null, [], [], ['always']],
  [null, ['never', 'always'], [], ['never', 'always']],
  [['if-not-present'], ['always'], ['always', 'if-not-present'], ['if-not-present']],
  [['never', 'always'], ['always', 'never'], [], ['never', 'always']],
  [['never'], ['always'], [], undefined],
  [['sometimes'], ['always'], [], undefined],
])(
  'a job with pull policies %j on a runner with %j that allows %j gets %j',
  (asked, pullPolicy, allowed, expected) => {
    const policies = () => effectivePullPolicies(asked, { pullPolicy, allowedPullPolicies: allowed })
    if (expected) expect(policies()).toEqual(expected)
    else expect(policies).toThrow(/The runner does not allow/)
  },
)

test('a pull policy of the settings that they do not allow is not blamed on the job', () => {
  const settings = { pullPolicy: [], allowedPullPolicies: ['never' as const] }
  expect(() => effectivePullPolicies(null, settings)).toThrow(
    'The settings of the runner are wrong: allowed_pull_policies does not contain its pull_policy [always]; allowed: [never]',
  )
})

test.each([
  [
    'Get "https://r/v2/": dial tcp 10.0.0.1:443: connect: connection refused',
    'runner_external_dependency_failure',
  ],
  ['net/http: TLS handshake timeout', 'runner_external_dependency_failure'],
  ['manifest for a:b not found: manifest unknown', 'runner_configuration_error'],
  ['pull access denied for a, repository does not exist', 'runner_configuration_error'],
  ['unauthorized: authentication required', 'runner_configuration_error'],
  ['no space left on device', 'image_pull_failure'],
])('a failed pull with %j is reported as %s', (words, reason) => {
  expect(pullFailureReason(words)).toBe(reason)
})

test.each([
  ['dial tcp 10.0.0.1:443: i/o timeout', true],
  ['toomanyrequests: You have reached your pull rate limit', true],
  ['received unexpected HTTP status: 503 Service Unavailable', true],
  ['error pulling image: unexpected EOF', true],
  ['manifest unknown', false],
  ['unauthorized: authentication required', false],
  ['no space left on device', false],
])('a failed pull with %j is retried: %s', (words, expected) => {
  expect(isPassing(words)).toBe(expected)
})

test('pull progress is summed over the layers', () => {
  const progress = new PullProgress()
  progress.add({ id: '3.19', status: 'Pulling from library/alpine' })
  progress.add({ id: 'a', status: 'Already exists' })
  progress.add({ id: 'b', status: 'Downloading', progressDetail: { current: 1048576, total: 4194304 } })
  expect(progress.summary()).toBe('1 of 2 layers, 1.0 of 4.0 MiB')
  progress.add({ id: 'b', status: 'Download complete' })
  progress.add({ id: 'b', status: 'Pull complete' })
  expect(progress.summary()).toBe('2 of 2 layers, 4.0 of 4.0 MiB')
})

test.each([
  [127, '[FATAL tini (7)] exec sh failed: No such file\n', 'sh failed: No such file'],
  [126, '[FATAL tini (7)] exec /entry failed: Permission denied\n', '/entry failed: Permission denied'],
  [1, 'ERROR (catatonit:2): failed to exec pid1: No such file\n', 'No such file'],
  [127, 'sh: foo: not found\n', undefined],
  [1, '[FATAL tini (7)] exec sh failed: No such file or directory\n', undefined],
])('exit code %i after %j means that the command failed by %j', (exitCode, output, failure) => {
  expect(commandFailure(exitCode, output)).toBe(failure)
})

const ENGINE_ERROR = (statusCode: number, message: string) =>
  Object.assign(new Error(message), { statusCode, json: { message } })

test.each([
  ['exec: "sh": executable file not found in $PATH: unknown', 'runner_configuration_error'],
  ['invalid mount config for type "bind": bind source path does not exist: /x', 'runner_system_failure'],
])('a start refused with %j is a %s', (message, reason) => {
  expect(startFailure(ENGINE_ERROR(400, message), 'image')).toMatchObject({ reason })
})

test('an engine without an init process is detected', () => {
  expect(isInitMissing(ENGINE_ERROR(500, 'exec: "docker-init": executable file not found in $PATH'))).toBe(
    true,
  )
  expect(isInitMissing(ENGINE_ERROR(400, 'exec: "sh": executable file not found in $PATH'))).toBe(false)
})

test.each([0, 2, 5, 6, 7, 5007])('%i printed bytes are dropped across frames', async (skip) => {
  const frame = (payload: string) => {
    const header = Buffer.alloc(8)
    header.writeUInt32BE(payload.length, 4)
    return Buffer.concat([header, Buffer.from(payload)])
  }
  const printed = ['one', 'two\n', 'x'.repeat(5000)]
  const demultiplexer = new Demultiplexer({ skip, keep: 1 })
  demultiplexer.end(Buffer.concat(printed.map(frame)))
  const expected = printed.join('').slice(skip)
  expect(Buffer.concat((await demultiplexer.toArray()) as Buffer[]).toString()).toBe(expected)
  expect(demultiplexer.passed).toBe(expected.length)
  expect(demultiplexer.beginning).toBe(expected.slice(0, 1))
})

test.each([1, 3, 8, 11, 1000])('frames in chunks of %i bytes are decoded completely', async (size) => {
  const frames = ['one', '', 'two\n', 'x'.repeat(5000)].map((payload, index) => {
    const header = Buffer.alloc(8)
    header[0] = 1 + (index % 2)
    header.writeUInt32BE(payload.length, 4)
    return Buffer.concat([header, Buffer.from(payload)])
  })
  const bytes = Buffer.concat(frames)
  const demultiplexer = new Demultiplexer({ keep: 5 })
  for (let at = 0; at < bytes.length; at += size) demultiplexer.write(bytes.subarray(at, at + size))
  demultiplexer.end()
  const output = await demultiplexer.toArray()
  expect(Buffer.concat(output as Buffer[]).toString()).toBe(`onetwo\n${'x'.repeat(5000)}`)
  expect(demultiplexer.beginning).toBe('onetw')
})

/** As Podman ends the output of a container whose pipe it can read no longer. */
const BREAK = 'Error: read unixpacket @->/proc/self/fd/13/attach: read: connection reset by peer\n'

test.each<[string, [stream: number, text: string][], { text: string; hasBroken: boolean }]>([
  [
    'says that it breaks off',
    [
      [1, 'one'],
      [2, BREAK],
    ],
    { text: 'one', hasBroken: true },
  ],
  [
    'goes on after such a line',
    [
      [2, BREAK],
      [1, 'one'],
    ],
    { text: `${BREAK}one`, hasBroken: false },
  ],
  ['prints such a line itself', [[1, BREAK]], { text: BREAK, hasBroken: false }],
  [
    'ends with another error',
    [[2, 'Error: read of a file']],
    { text: 'Error: read of a file', hasBroken: false },
  ],
])('the output of a container that %s', async (_, frames, wanted) => {
  const bytes = Buffer.concat(
    frames.map(([stream, text]) => {
      const header = Buffer.alloc(8)
      header[0] = stream
      header.writeUInt32BE(text.length, 4)
      return Buffer.concat([header, Buffer.from(text)])
    }),
  )
  for (const size of [1, 9, bytes.length]) {
    const demultiplexer = new Demultiplexer({ findsBreak: true })
    for (let at = 0; at < bytes.length; at += size) demultiplexer.write(bytes.subarray(at, at + size))
    demultiplexer.end()
    const text = Buffer.concat((await demultiplexer.toArray()) as Buffer[]).toString()
    expect({ text, hasBroken: demultiplexer.hasBroken }).toEqual(wanted)
    expect(demultiplexer.passed).toBe(wanted.text.length)
  }
})

test.each([
  ['*.txt', 'a.txt', true],
  ['*.txt', '.hidden.txt', true],
  ['*.txt', 'dir/a.txt', false],
  ['**/*.txt', 'a.txt', true],
  ['**/*.txt', 'a/b/c.txt', true],
  ['a/**/z', 'a/z', true],
  ['a/**', 'a', true],
  ['a/**', 'a/b/c', true],
  ['a/**', 'ab', false],
  ['**/x/**/y', 'x/q/x/y', true],
  ['a?c', 'a/c', false],
  ['[a-c]x', 'bx', true],
  ['[!a-c]x', 'bx', false],
  ['[]]x', ']x', true],
  ['[x', '[x', true],
  ['{a,b{1,2}}.log', 'b2.log', true],
  ['{a,b}.log', 'c.log', false],
  ['{a}', '{a}', true],
  ['\\*', '*', true],
  ['\\*', 'a', false],
  ['größe-?', 'größe-☃', true],
  ['a*a*a*a*a*a*a*a*a*a*a*b', 'a'.repeat(200), false],
])('the glob %j matches %j: %j', (pattern, path, expected) => {
  expect(globMatcher(pattern)(path)).toBe(expected)
})

test('nested braces are limited', () => {
  expect(expandBraces('{a,b}'.repeat(30)).length).toBeLessThanOrEqual(1025)
})
