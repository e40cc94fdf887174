import { expect, test } from 'vitest'

import { directoryOf, parseGitmodules } from '../../../../src/runner/workspace/submodules/gitmodules.js'

test('sections become submodules, and the later value of a key wins', () => {
  const listing = [
    'submodule.a.b/c.path\nlibs/c',
    'submodule.a.b/c.url\n../old',
    'submodule.a.b/c.url\n../new',
    'submodule.a.b/c.branch\nmain',
    'submodule.half.path\nx',
    'core.fsmonitor\ntouch x',
    '',
  ].join('\0')
  expect(parseGitmodules(listing)).toEqual([{ name: 'a.b/c', path: 'libs/c', url: '../new', branch: 'main' }])
})

test.each(['../x', 'a/../../b', 'a\\..\\b', 'a\nb'])('the name %j is skipped', (name) => {
  expect(parseGitmodules(`submodule.${name}.path\nx\0submodule.${name}.url\ny\0`)).toEqual([])
})

test('each name has its own directory, in one path component', () => {
  const names = ['lib', 'libs/lib', 'libs', '..', '.git', '', 'a'.repeat(200), 'lib\nlib', 'x.lock']
  const directories = names.map(directoryOf)
  expect(new Set(directories).size).toBe(names.length)
  for (const directory of directories) expect(directory).toMatch(/^[A-Za-z0-9_][\w.-]{0,99}$/)
  expect(directoryOf('lib')).toBe('lib')
})
