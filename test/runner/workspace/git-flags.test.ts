import { expect, test } from 'vitest'

import {
  checkCleanFlags,
  checkFetchFlags,
  checkSubmoduleFlags,
} from '../../../src/runner/workspace/git-flags.js'

test.each([
  ['--prune --quiet', ['--prune', '--quiet']],
  ['  --tags\n-j 4 ', ['--tags', '-j', '4']],
  ['-pq --depth=5', ['-p', '-q', '--depth=5']],
  ['--depth 5 --jobs=2', ['--depth', '5', '--jobs=2']],
  ['-j4', ['-j4']],
  ['--shallow-since=yesterday', ['--shallow-since=yesterday']],
])('git fetch accepts %j', (text, flags) => {
  expect(checkFetchFlags(text)).toEqual({ flags, refused: [] })
})

test.each([
  ['--upload-pack=touch', ['--upload-pack=touch']],
  ['--upload-pack touch', ['--upload-pack', 'touch']],
  ['--upload-pa=x', ['--upload-pa=x']],
  ['--exec=x', ['--exec=x']],
  ['-c core.fsmonitor=x', ['-c', 'core.fsmonitor=x']],
  ['-pc', ['-pc']],
  ['--prune=x', ['--prune=x']],
  ['--server-option=x', ['--server-option=x']],
  ['--stdin', ['--stdin']],
  ['--output=/etc/passwd', ['--output=/etc/passwd']],
  ['--recurse-submodules', ['--recurse-submodules']],
  ['--filter=blob:none', ['--filter=blob:none']],
  ['origin', ['origin']],
  ['+refs/heads/*:refs/heads/*', ['+refs/heads/*:refs/heads/*']],
  ['constructor', ['constructor']],
  ['--', ['--']],
])('git fetch rejects %j', (text, refused) => {
  expect(checkFetchFlags(text)).toEqual({ flags: [], refused })
})

test.each([
  ['-ffdx', ['-f', '-f', '-d', '-x'], []],
  ['-ffdx -e cache/ -e *.o', ['-f', '-f', '-d', '-x', '-e', 'cache/', '-e', '*.o'], []],
  ['-ffd -ecache --exclude=x', ['-f', '-f', '-d', '-ecache', '--exclude=x'], []],
  ['-ffdx build -- out', ['-f', '-f', '-d', '-x', '--', 'build', 'out'], []],
  ['-ffdxi --interactive', [], ['-ffdxi', '--interactive']],
])('git clean with %j', (text, flags, refused) => {
  expect(checkCleanFlags(text)).toEqual({ flags, refused })
})

test('submodules are fetched only from the server of the project', () => {
  expect(checkSubmoduleFlags('--remote --jobs 4 --reference /etc --merge --rebase --filter=x')).toEqual({
    flags: ['--remote', '--jobs', '4'],
    refused: ['--reference', '/etc', '--merge', '--rebase', '--filter=x'],
  })
})
