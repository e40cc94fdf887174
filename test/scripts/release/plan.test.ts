import { readFileSync } from 'node:fs'

import { describe, expect, test } from 'vitest'

import { parseArguments } from '../../../scripts/release/checks.mjs'
import { withImageVersion } from '../../../scripts/release/image-label.mjs'
import { planRelease } from '../../../scripts/release/plan.mjs'
import { repository } from './support/repository.js'

const DATE = '2026-11-28'

describe('a release', () => {
  test('writes the version into both manifests, the image and the changelog', () => {
    const { texts, version } = planRelease(repository(), '1.0.0', DATE)
    expect(version).toBe('1.0.0')
    expect(JSON.parse(texts['package.json'])).toEqual({ name: 'switchyard', version: '1.0.0' })
    expect(JSON.parse(texts['package-lock.json'])).toEqual({
      name: 'switchyard',
      version: '1.0.0',
      packages: { '': { version: '1.0.0' }, 'node_modules/one': { version: '0.1.0' } },
    })
    expect(texts.Dockerfile).toBe('FROM node:20\nLABEL org.opencontainers.image.version="1.0.0"\nUSER node\n')
    expect(texts['CHANGELOG.md']).toContain('\n## [Unreleased]\n\n## [1.0.0] - 2026-11-28\n')
  })

  test.each([
    ['another branch', { branch: 'fix' }, '1.0.0', 'made from main, and this is fix'],
    ['no branch', { branch: '' }, '1.0.0', 'this is no branch'],
    ['changes', { changes: ' M README.md' }, '1.0.0', 'git stash --include-untracked):\n M README.md'],
    ['a tag of the version', { tags: ['v1.0.0'] }, '1.0.0', 'the tag v1.0.0 exists'],
    ['the version of a killed release', {}, '0.1.0', 'an earlier release was killed'],
    ['an older version', {}, '0.0.9', 'not newer than 0.1.0'],
  ])('is refused with %s', (_, state, wanted, reason) => {
    expect(() => planRelease(repository(state), wanted, DATE)).toThrow(reason)
  })

  test('makes all checks, unless a flag names the one to leave out', () => {
    const names = (args: string[]) => {
      const { made = [], leftOut = [] } = parseArguments(args) ?? {}
      return { made: made.map(({ name }) => name), leftOut: leftOut.map(({ name }) => name) }
    }
    expect(names(['1.0.0'])).toEqual({ made: ['ci', 'nightly'], leftOut: [] })
    expect(names(['1.0.0', '--without-nightly'])).toEqual({ made: ['ci'], leftOut: ['nightly'] })
    expect(names(['--without-ci', '--without-nightly', '1.0.0'])).toEqual({
      made: [],
      leftOut: ['ci', 'nightly'],
    })
  })

  test.each([[[]], [['1.0.0', '2.0.0']], [['1.0.0', '--without-everything']], [['1.0.0', '-f']]])(
    'refuses the arguments %j',
    (args) => {
      expect(parseArguments(args)).toBeUndefined()
    },
  )
})

test('the label of the image has the version of the package', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  const dockerfile = readFileSync('Dockerfile', 'utf8')
  expect(dockerfile).toContain(`LABEL org.opencontainers.image.version="${version}"\n`)
  expect(withImageVersion(dockerfile, version)).toBe(dockerfile)
})
