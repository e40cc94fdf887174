import { expect, test } from 'vitest'

import { neededNames } from '../../../src/runner/workspace/needed-names.js'

test.each<[string[], boolean, string[]]>([
  [['dist/'], false, ['dist']],
  [['dist/**/*.js', './dist/a.txt'], false, ['dist']],
  [['a/b/*.txt', 'a/c'], false, ['a/b', 'a/c']],
  [['a/{b,c}/d*'], false, ['a/b', 'a/c']],
  [['a', 'a/b', 'ab'], false, ['a', 'ab']],
  [['**/*.log', 'dist'], false, ['']],
  [['*.txt'], false, ['']],
  [['.'], false, ['']],
  [['/builds/group/project/out/x'], false, ['out/x']],
  [['../x', '/etc/passwd'], false, []],
  [['dist'], true, ['']],
  [[], true, ['']],
  [[], false, []],
])('the patterns %j, with untracked files: %s, need the directories %j', (paths, untracked, names) => {
  expect(neededNames({ paths, exclude: [], untracked }, '/builds/group/project')).toEqual(names)
})
