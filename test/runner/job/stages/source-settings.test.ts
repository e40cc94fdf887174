import { expect, test } from 'vitest'

import { sourceSettings } from '../../../../src/runner/job/stages/get-sources.js'
import { DEFAULT_SOURCE_SETTINGS } from '../../../../src/runner/workspace/git-flags.js'
import { SourcesError } from '../../../../src/runner/workspace/workspace.js'

/** The settings that no variable of a job changes are left out. */
const { allowedLocalHosts: _, ...DEFAULTS } = DEFAULT_SOURCE_SETTINGS

function read(variables: Record<string, string>) {
  const warnings: string[] = []
  const settings = sourceSettings(new Map(Object.entries(variables)), 20, (text) => warnings.push(text))
  return { settings, warnings }
}

test('a job without settings gets the defaults of the protocol', () => {
  expect(read({})).toEqual({ settings: DEFAULTS, warnings: [] })
  expect(read({ GIT_SUBMODULE_STRATEGY: 'none', GIT_CLEAN_FLAGS: '' }).settings).toEqual(DEFAULTS)
})

test.each([
  [{ GIT_CHECKOUT: 'false' }, { checkout: false }],
  [{ GIT_CLEAN_FLAGS: 'none' }, { cleanFlags: undefined }],
  [{ GIT_CLEAN_FLAGS: '-ffdx -e cache/' }, { cleanFlags: ['-f', '-f', '-d', '-x', '-e', 'cache/'] }],
  [{ GIT_FETCH_EXTRA_FLAGS: 'none' }, { fetchFlags: [] }],
  [{ GIT_FETCH_EXTRA_FLAGS: '--tags' }, { fetchFlags: ['--tags'] }],
  [{ GIT_LFS_SKIP_SMUDGE: '1' }, { isLfsWanted: false }],
  [{ CI_SERVER_URL: 'https://ci.example.com' }, { serverUrls: ['https://ci.example.com'] }],
])('%o is applied', (variables, expected) => {
  expect(read(variables)).toEqual({ settings: { ...DEFAULTS, ...expected }, warnings: [] })
})

const SUBMODULES = { isRecursive: false, depth: 20, paths: [], isRemote: false, forceHttps: false }

test.each([
  [{}, {}],
  [{ GIT_SUBMODULE_STRATEGY: 'recursive' }, { isRecursive: true }],
  [{ GIT_SUBMODULE_DEPTH: '3' }, { depth: 3 }],
  [
    { GIT_SUBMODULE_DEPTH: '3', GIT_SUBMODULE_UPDATE_FLAGS: '--depth 1 --remote' },
    { depth: 1, isRemote: true },
  ],
  [{ GIT_SUBMODULE_PATHS: 'a  :(exclude)b' }, { paths: ['a', ':(exclude)b'] }],
  [{ GIT_SUBMODULE_FORCE_HTTPS: 'true' }, { forceHttps: true }],
])('submodules with %o', (variables, expected) => {
  const { settings } = read({ GIT_SUBMODULE_STRATEGY: 'normal', ...variables })
  expect(settings.submodules).toEqual({ ...SUBMODULES, ...expected })
})

test('flags that would run a program are skipped with a warning', () => {
  const { settings, warnings } = read({
    GIT_FETCH_EXTRA_FLAGS: '--prune --upload-pack=touch',
    GIT_CLEAN_FLAGS: '-ffdx -i',
  })
  expect(settings).toMatchObject({ fetchFlags: ['--prune'], cleanFlags: ['-f', '-f', '-d', '-x'] })
  expect(warnings).toEqual([
    'GIT_CLEAN_FLAGS: "-i" is not allowed on this runner and has no effect',
    'GIT_FETCH_EXTRA_FLAGS: "--upload-pack=touch" is not allowed on this runner and has no effect',
  ])
})

test('an unknown strategy, and an exclude without a path, fail the job', () => {
  expect(() => read({ GIT_SUBMODULE_STRATEGY: 'all' })).toThrow(SourcesError)
  expect(() => read({ GIT_SUBMODULE_STRATEGY: 'normal', GIT_SUBMODULE_PATHS: ':(exclude) a' })).toThrow(
    'followed by a path',
  )
})
