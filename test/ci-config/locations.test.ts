import { describe, expect, test } from 'vitest'

import type { Problem } from '../../src/ci-config/errors.js'
import { compileText } from './support/compile-text.js'

async function problemsOf(text: string): Promise<Problem[]> {
  const result = await compileText(text)
  return result.kind === 'invalid' ? result.problems : []
}

/** The first problem's path, and `line:column` of its spot. */
async function firstOf(text: string): Promise<[string, string]> {
  const [problem] = await problemsOf(text)
  const { line, column } = problem?.location ?? {}
  return [problem?.path.join('.') ?? '', `${line ?? '-'}:${column ?? '-'}`]
}

describe('a problem points at the key that is wrong', () => {
  test.each<[string, string, [string, string]]>([
    ['a keyword of a job', 'a:\n  script: x\n  tags: y\n', ['a.tags', '3:3']],
    ['a keyword in a keyword', 'a:\n  script: x\n  image:\n    name: 1\n', ['a.image.name', '4:5']],
    ['a key that is unknown', 'a:\n  script: x\n  foo: 1\n', ['a.foo', '3:3']],
    ['a key that is missing', 'a:\n  script: x\n  image: {entrypoint: [x]}\n', ['a.image.name', '3:3']],
    [
      'an item of a list',
      'a:\n  script: x\n  services:\n    - x\n    - [y, 1]\n',
      ['a.services.1.1', '5:11'],
    ],
    [
      'a single need',
      'a:\n  script: x\n  needs:\n    - job: b\n      optional: 1\n',
      ['a.needs.0.optional', '5:7'],
    ],
    ['a keyword at the top', 'stages: 1\na: {script: x}\n', ['stages', '1:1']],
    ['a job that is none', 'b: {script: x}\na: 1\n', ['a', '2:1']],
    ['a default', 'default:\n  tags: x\na: {script: x}\n', ['default.tags', '2:3']],
    [
      'a variable',
      'variables: {A: {value: x, options: [y]}}\na: {script: x}\n',
      ['variables.A.value', '1:17'],
    ],
    ['the last of two equal keys', 'a:\n  script: x\n  tags: [t]\n  tags: t\n', ['a.tags', '4:3']],
    ['a stage that is not there', 'a:\n  script: x\n  stage: s\n', ['a.stage', '3:3']],
    ['a need that is not there', 'a:\n  script: x\n  needs: [b]\n', ['a.needs.0', '3:11']],
    ['a base that is not there', 'a:\n  script: x\n  extends: .b\n', ['a.extends', '3:3']],
    ['a circle', 'a:\n  script: x\n  needs: [a]\n', ['a.needs', '3:3']],
    ['broken YAML', 'a:\n  script: [\n', ['', '3:1']],
    ['no key at all', '.a: {script: x}\n', ['', '-:-']],
    ['behind a delimiter', '--- {a: {script: x, tags: y}}\n', ['a.tags', '1:21']],
    ['in the second document', 'spec: {}\n---\na:\n', ['a', '3:1']],
  ])('%s', async (_, text, expected) => {
    expect(await firstOf(text)).toEqual(expected)
  })
})

describe('a value from elsewhere is pointed at where it was written', () => {
  test.each<[string, string, [string, string]]>([
    ['an anchor', '.x: &x\n  name: 1\na:\n  script: x\n  image: *x\n', ['a.image.name', '2:3']],
    ['a merge key', '.x: &x\n  tags: 1\na:\n  <<: *x\n  script: x\n', ['a.tags', '2:3']],
    [
      'a list of merge keys',
      '.x: &x {tags: 1}\n.y: &y {tags: 2}\na: {<<: [*y, *x], script: x}\n',
      ['a.tags', '2:9'],
    ],
    ['a merge key that lost', '.x: &x {tags: []}\na:\n  <<: *x\n  tags: 1\n  script: x\n', ['a.tags', '4:3']],
    ['a base', '.x:\n  tags: 1\na:\n  extends: .x\n  script: x\n', ['a.tags', '2:3']],
    [
      'a map merged with its base',
      '.x:\n  image: {name: 1}\na:\n  extends: .x\n  script: x\n  image: {entrypoint: [y]}\n',
      ['a.image.name', '2:11'],
    ],
    [
      'the own part of such a map',
      '.x:\n  image: {name: i}\na:\n  extends: .x\n  script: x\n  image: {entrypoint: 1}\n',
      ['a.image.entrypoint', '6:11'],
    ],
  ])('%s', async (_, text, expected) => {
    expect(await firstOf(text)).toEqual(expected)
  })
})

test('a problem names the file that it is in', async () => {
  const result = await compileText('a: {script: x, tags: 1}', { origin: { file: 'ci/main.yml' } })
  expect(result).toMatchObject({ problems: [{ location: { file: 'ci/main.yml', line: 1, column: 16 } }] })
})

test('every problem of a file has its own spot', async () => {
  const problems = await problemsOf('a:\n  script: x\n  tags: 1\nb:\n  script: x\n  tags: 1\n')
  expect(problems.map(({ location }) => location?.line)).toEqual([3, 6])
})
