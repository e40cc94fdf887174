import { describe, expect, test } from 'vitest'

import { jobOf } from './support/compile-text.js'

async function optionsOf(text: string) {
  return (await jobOf(text, 'rspec')).options
}

const PLAIN = {
  paths: [],
  untracked: false,
  policy: 'pull-push',
  when: 'on_success',
  unprotect: false,
  fallbackKeys: [],
}

describe('caches', () => {
  test.each<[string, object[] | undefined]>([
    ['cache: {paths: [vendor/]}', [{ ...PLAIN, paths: ['vendor/'] }]],
    [
      'cache: [{paths: [a]}, {key: b, untracked: true}]',
      [
        { ...PLAIN, paths: ['a'] },
        { ...PLAIN, key: 'b', untracked: true },
      ],
    ],
    [
      'cache: {key: $CI_COMMIT_REF_SLUG, policy: pull}',
      [{ ...PLAIN, key: '$CI_COMMIT_REF_SLUG', policy: 'pull' }],
    ],
    ['cache: {policy: $POLICY, when: always}', [{ ...PLAIN, policy: '$POLICY', when: 'always' }]],
    [
      'cache: {unprotect: true, fallback_keys: [a, b]}',
      [{ ...PLAIN, unprotect: true, fallbackKeys: ['a', 'b'] }],
    ],
    ['cache: {key: {files: [a.lock]}}', [{ ...PLAIN, key: { files: ['a.lock'], by: 'content' } }]],
    [
      'cache: {key: {files_commits: [a, b], prefix: ""}}',
      [{ ...PLAIN, key: { files: ['a', 'b'], by: 'commit', prefix: '' } }],
    ],
    ['cache: []', undefined],
    ['stage: test', undefined],
  ])('%s', async (keywords, expected) => {
    expect((await optionsOf(`rspec: {script: x, ${keywords}}`)).caches).toEqual(expected)
  })

  test('are those of the defaults where a job writes none, and none where it writes an empty list', async () => {
    const defaults = 'cache: {key: all}\nother: {script: x, cache: []}\n'
    expect((await optionsOf(`${defaults}rspec: {script: x}`)).caches).toMatchObject([{ key: 'all' }])
    expect((await optionsOf(`${defaults}rspec: {script: x, cache: []}`)).caches).toBeUndefined()
    expect((await optionsOf(`default: {cache: {key: d}}\nrspec: {script: x}`)).caches).toMatchObject([
      { key: 'd' },
    ])
  })
})

describe('hooks', () => {
  test('are the lines that are written, flattened', async () => {
    const { hooks } = await optionsOf('rspec: {script: x, hooks: {pre_get_sources_script: [a, [b]]}}')
    expect(hooks).toEqual({ pre_get_sources_script: ['a', 'b'] })
  })

  test('are those of the defaults where a job writes none', async () => {
    const { hooks } = await optionsOf('default: {hooks: {pre_get_sources_script: a}}\nrspec: {script: x}')
    expect(hooks).toEqual({ pre_get_sources_script: ['a'] })
  })
})

describe('reports', () => {
  test.each([
    ['{junit: a.xml}', { junit: ['a.xml'] }],
    ['{junit: [a.xml, b/*.xml], sast: s.json}', { junit: ['a.xml', 'b/*.xml'], sast: ['s.json'] }],
    ['{coverage_report: {coverage_format: cobertura, path: c.xml}}', { cobertura: ['c.xml'] }],
  ])('%s', async (written, expected) => {
    const { artifacts } = await optionsOf(`rspec: {script: x, artifacts: {reports: ${written}}}`)
    expect(artifacts?.reports).toEqual(expected)
  })
})
