import { expect, test } from 'vitest'

import { submoduleAddress } from '../../../../src/runner/workspace/submodules/submodule-address.js'
import { SourcesError } from '../../../../src/runner/workspace/workspace.js'

const RULES = {
  parentUrl: 'https://ci.example.com/group/project.git',
  repositoryUrl: 'https://ci.example.com/group/project.git',
  serverUrls: ['https://ci.public.example.com'],
  forceHttps: false,
}
const HTTPS = { ...RULES, forceHttps: true }

test.each([
  ['../lib.git', RULES, 'https://ci.example.com/group/lib.git', true],
  ['./inner.git', RULES, 'https://ci.example.com/group/project.git/inner.git', true],
  ['../../other/lib', RULES, 'https://ci.example.com/other/lib', true],
  ['../../../../../lib', RULES, 'https://ci.example.com/lib', true],
  ['https://ci.example.com/a/b.git', RULES, 'https://ci.example.com/a/b.git', true],
  ['https://ci.public.example.com/a/b.git', RULES, 'https://ci.example.com/a/b.git', true],
  ['http://ci.example.com/a/b.git', RULES, 'http://ci.example.com/a/b.git', false],
  ['https://ci.example.com:8443/a/b.git', RULES, 'https://ci.example.com:8443/a/b.git', false],
  ['https://github.example/a/b.git', RULES, 'https://github.example/a/b.git', false],
  ['https://ci.example.com.evil.example/a', RULES, 'https://ci.example.com.evil.example/a', false],
  ['https://ci.example.com@evil.example/a', RULES, 'https://ci.example.com@evil.example/a', false],
  ['git@ci.example.com:a/b.git', HTTPS, 'https://ci.example.com/a/b.git', true],
  ['ssh://git@ci.example.com:2222/a/b.git', HTTPS, 'https://ci.example.com/a/b.git', true],
  ['git@ci.public.example.com:a/b.git', HTTPS, 'https://ci.example.com/a/b.git', true],
  ['git@github.example:a/b.git', HTTPS, 'https://github.example/a/b.git', false],
])('%s resolves as in git', (written, rules, url, isOwnServer) => {
  expect(submoduleAddress('lib', written, rules)).toEqual({ url, isOwnServer })
})

test('a relative URL in a repository of another server stays there, without the token', () => {
  const rules = { ...RULES, parentUrl: 'https://github.example/a/b.git' }
  expect(submoduleAddress('lib', '../c.git', rules)).toEqual({
    url: 'https://github.example/a/c.git',
    isOwnServer: false,
  })
})

test.each([
  'ext::sh -c "touch x"',
  'file:///etc',
  '/etc',
  'git://ci.example.com/a',
  'ssh://git@ci.example.com/a',
  'git@ci.example.com:a/b.git',
  '-upload-pack=x',
  'fd::1',
  'https://github.example/a?x=',
  'https://github.example/a#x',
])('%s is rejected with its name', (written) => {
  expect(() => submoduleAddress('lib', written, RULES)).toThrow(SourcesError)
  expect(() => submoduleAddress('lib', written, RULES)).toThrow('submodule "lib"')
})

test('a password in a rejected URL is not shown', () => {
  expect(() => submoduleAddress('lib', 'ssh://me:secret@host/a', RULES)).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining('secret') as string }) as Error,
  )
})
