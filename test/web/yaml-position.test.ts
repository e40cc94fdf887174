import { describe, expect, test } from 'vitest'

import type { CiKeywords } from '../../src/coordinator/ci/lint/schema.js'
import { parseBlobAddress } from '../../src/web/pages/editor/blob-address.js'
import { keywordAt, proposalsAt } from '../../src/web/pages/editor/keyword-help.js'
import { variablesAt } from '../../src/web/pages/editor/variable-names.js'
import {
  findYamlPosition,
  lineOfJob,
  namesInFile,
  variablesInFile,
  withJobs,
} from '../../src/web/pages/editor/yaml-position.js'

test('the address of the page of a file names its project, commit and path', () => {
  const address = 'https://ci.example.org/group/sub/app/-/blob/3f2a1c9/ci/lint%20all.yml'
  expect(parseBlobAddress(address)).toEqual({
    project: 'group/sub/app',
    sha: '3f2a1c9',
    path: 'ci/lint all.yml',
  })
  expect(parseBlobAddress('https://example.org/ci/lint.yml')).toBeUndefined()
})

/** The position of the `|` in a text. */
function positionIn(text: string) {
  return findYamlPosition(text.slice(0, text.indexOf('|')).split('\n'))
}

test.each([
  ['|', [], true, undefined, ''],
  ['sta|', [], true, undefined, 'sta'],
  ['test:\n  scr|', ['test'], true, undefined, 'scr'],
  ['test:\n  script: make\n\n  |', ['test'], true, undefined, ''],
  ['test:\n  when: man|', ['test'], false, 'when', 'man'],
  ['test:\n  when: |', ['test'], false, 'when', ''],
  ['test:\n  rules:\n    - if: $A\n      wh|', ['test', 'rules'], true, undefined, 'wh'],
  ['test:\n  rules:\n    - wh|', ['test', 'rules'], true, undefined, 'wh'],
  ['test:\n  rules:\n  - if: $A\n    changes:\n    - a\n    when: |', ['test', 'rules'], false, 'when', ''],
  ['test:\n  needs:\n  - bu|', ['test', 'needs'], true, undefined, 'bu'],
  ['test:\n  needs: [a, bu|', ['test'], false, 'needs', 'bu'],
  ['test:\n  artifacts:\n    reports:\n      ju|', ['test', 'artifacts', 'reports'], true, undefined, 'ju'],
  ['a:\n  script: x\n"b c":\n  # wh:\n  st|', ['b c'], true, undefined, 'st'],
  ['a:\n  script:\n    - echo "x: y"\n  |', ['a'], true, undefined, ''],
])('the position of %j', (text, path, isKey, key, word) => {
  expect(positionIn(text)).toEqual({ path, isKey, key, word })
})

test('the names of a file', () => {
  const text = 'stages: [build, "test"]\nvariables:\n  A: b\n.base: {}\nbuild:\n  stage: build\n"a b": {}\n'
  expect(namesInFile(text)).toEqual({ jobs: ['.base', 'build', 'a b'], stages: ['build', 'test'] })
  expect(namesInFile('stages:\n  - one # first\n- two\nx:\n  script:\n    - no\n').stages).toEqual([
    'one',
    'two',
  ])
  expect(namesInFile('')).toEqual({ jobs: [], stages: [] })
})

test('the names of included jobs', () => {
  const names = withJobs({ jobs: ['build'], stages: ['one'] }, [
    { name: 'build', stage: 'one' },
    { name: 'rspec 1/2', stage: 'two' },
    { name: 'rspec 2/2', stage: 'two' },
    { name: 'deploy: [a, b]', stage: 'two' },
  ])
  expect(names).toEqual({ jobs: ['build', 'rspec', 'deploy'], stages: ['one', 'two'] })
})

test('the variables of a file', () => {
  const text =
    'variables:\n  A: b\n  B:\n    value: c\nbuild:\n  variables: &v\n    C: d\n  script: x\nD: {}\n'
  expect(variablesInFile(text)).toEqual(['A', 'B', 'C'])
  const found = variablesAt('    - if: $CI_COM', text)
  expect(found?.word).toBe('CI_COM')
  expect(found?.proposals.map(({ label }) => label)).toEqual(
    expect.arrayContaining(['A', 'C', 'CI_COMMIT_TAG', 'CI_PIPELINE_SOURCE']),
  )
  expect(variablesAt('  echo "${', text)?.word).toBe('')
  expect(variablesAt('  script: ma', text)).toBeUndefined()
})

test.each([
  ['build', 5],
  ['rspec 3/10', 7],
  ['rspec: [a, b]', 7],
  ['missing', undefined],
])('the line of the job %s', (name, line) => {
  expect(
    lineOfJob('stages: []\n\n.base: {}\n# build:\nbuild:\n  script: x\nrspec:\n  build: no\n', name),
  ).toBe(line)
})

describe('proposals', () => {
  const keyword = (name: string, more: object = {}) => ({
    name,
    kinds: ['string' as const],
    about: `About ${name}`,
    map: null,
    words: null,
    ...more,
  })
  const maps: CiKeywords['maps'] = {
    file: [keyword('stages', { kinds: ['list'] }), keyword('*', { kinds: ['map'], map: 'job' })],
    job: [
      keyword('stage'),
      keyword('when', { words: ['manual', 'always'] }),
      keyword('interruptible', { kinds: ['boolean'] }),
      keyword('needs', { kinds: ['list'], map: 'need' }),
      keyword('rules', { kinds: ['list'], map: 'rule' }),
    ],
    need: [keyword('optional', { kinds: ['boolean'] })],
    rule: [keyword('if')],
  }
  const names = { jobs: ['.base', 'build', 'test'], stages: ['one'] }
  const labelsAt = (text: string) => proposalsAt(maps, positionIn(text), names).map(({ label }) => label)

  test.each([
    ['|', ['stages']],
    ['test:\n  |', ['stage', 'when', 'interruptible', 'needs', 'rules']],
    ['test:\n  when: |', ['manual', 'always']],
    ['test:\n  interruptible: |', ['true', 'false']],
    ['test:\n  stage: |', ['one', '.pre', '.post']],
    ['test:\n  needs: [|', ['build', 'test']],
    ['test:\n  needs:\n    - |', ['build', 'test', 'optional']],
    ['test:\n  rules:\n    - |', ['if']],
    ['test:\n  extends: |', ['.base', 'build', 'test']],
    ['test:\n  variables:\n    |', []],
  ])('at %j', (text, labels) => {
    expect(labelsAt(text)).toEqual(labels)
  })

  test('say what a keyword is for, also of a job with any name', () => {
    expect(keywordAt(maps, ['test'], 'when')?.about).toBe('About when')
    expect(keywordAt(maps, [], 'test')?.about).toBe('About *')
    expect(keywordAt(maps, ['test', 'variables'], 'A')).toBeUndefined()
  })
})
