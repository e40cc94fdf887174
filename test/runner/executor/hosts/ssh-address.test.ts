import { expect, test } from 'vitest'

import { parseSshAddress, sshArguments } from '../../../../src/runner/executor/docker/ssh/ssh-address.js'
import { describeSshProblem } from '../../../../src/runner/executor/docker/ssh/ssh-problem.js'

test.each([
  ['ssh://build-2', { user: undefined, machine: 'build-2', port: undefined, socket: undefined }],
  ['ssh://ci@build-2:2222/', { user: 'ci', machine: 'build-2', port: 2222, socket: undefined }],
  [
    'ssh://ci@10.0.0.7/run/user/1000/docker.sock',
    { machine: '10.0.0.7', socket: '/run/user/1000/docker.sock' },
  ],
  ['ssh://ci@[fe80::1]:22', { machine: 'fe80::1', port: 22 }],
])('%s is the address of a machine', (text, expected) => {
  expect(parseSshAddress(text)).toMatchObject(expected)
})

test.each([
  'ssh://',
  'ssh://-oProxyCommand=id',
  'ssh://-l@build-2',
  'ssh://ci:secret@build-2',
  'ssh://build-2:0',
  'ssh://build-2:65536',
  'ssh://build-2/run/$(id)',
  'ssh://build-2/run/a b',
  'ssh://build 2',
  'tcp://build-2',
])('%s is refused', (text) => {
  expect(parseSshAddress(text)).toBeUndefined()
})

test('ssh asks nothing, shares its connection and runs one fixed command', () => {
  const address = parseSshAddress('ssh://ci@build-2:2222/run/d.sock') ?? expect.fail('no address')
  const files = { keyFile: '/key', controlPath: '/control' }
  const dial = sshArguments(address, files, 'dial')
  expect(dial).toContain('BatchMode=yes')
  expect(dial).toContain('ControlMaster=no')
  expect(dial.join(' ')).toMatch(
    / -i \/key -o IdentitiesOnly=yes -l ci -p 2222 -- build-2 docker --host unix:\/\/\/run\/d\.sock system dial-stdio$/,
  )
  expect(sshArguments(address, files, 'share').join(' ')).toMatch(/ControlPersist=10 .* -- build-2 true$/)
})

test.each([
  ['Host key verification failed.', 'The host key of build-2 is not known. Connect once'],
  [
    '@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @\nHost key verification failed.',
    'ssh-keygen -R build-2',
  ],
  ['ci@build-2: Permission denied (publickey).', 'ci@build-2 denies the login. Check the key'],
  [
    'Load key "/k": bad permissions\nci@build-2: Permission denied (publickey).',
    'The key is readable by others',
  ],
  ['bash: line 1: docker: command not found', 'There is no docker command'],
  ['sh: 1: docker: not found', 'There is no docker command'],
  [
    'permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock',
    'add it to the group docker',
  ],
  [
    'Cannot connect to the Docker daemon at unix:///var/run/docker.sock.',
    'No Docker engine responds on build-2',
  ],
  [
    'ssh: Could not resolve hostname build-2: Name or service not known',
    'The name build-2 cannot be resolved',
  ],
  [
    'ssh: connect to host build-2 port 22: No route to host',
    'ssh has no connection to build-2: ssh: connect',
  ],
  ['', 'ssh has no connection to build-2: it ended with 255'],
])('what ssh prints (%j) becomes one sentence with a remedy', (printed, expected) => {
  expect(describeSshProblem({ user: 'ci', machine: 'build-2', port: 22 }, printed, 255)).toContain(expected)
})
