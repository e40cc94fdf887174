import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { pathGlob } from '../../../src/ci-config/selection/path-glob.js'

function fits(pattern: string, path: string): boolean {
  return pathGlob(pattern).matches(path, path.split('/'))
}

describe('a pattern fits and does not fit', () => {
  test.each<[string, string[], string[]]>([
    // The conformance vectors (CI language, 19.2).
    ['Dockerfile', ['Dockerfile'], ['a/Dockerfile', 'dockerfile', 'Dockerfile.dev']],
    ['*.md', ['README.md', '.md'], ['docs/a.md']],
    ['**/*.md', ['README.md', 'docs/a/b.md', 'docs/.md'], ['docs/a.mdx']],
    ['docs/*', ['docs/a', 'docs/.x'], ['docs/a/b', 'docs']],
    ['docs/**/*', ['docs/a', 'docs/a/b', 'docs/.a/.b'], ['docs', 'docsa/b', 'a/docs/b']],
    ['docs/**', ['docs/a'], ['docs/a/b', 'docs']],
    ['docs', [], ['docs/a']],
    ['docs/', [], ['docs/a', 'docs']],
    ['**/*', ['a', 'a/b/c', '.x/.y'], []],
    ['{a,b}/*.{js,ts}', ['a/x.ts', 'b/x.js'], ['c/x.ts', 'a/x.tsx']],
    // Further ones.
    ['**', ['a'], ['a/b']],
    ['**/docs/*', ['docs/a', 'x/docs/a', 'x/y/docs/a'], ['docs/a/b', 'xdocs/a']],
    ['a/**/b', ['a/b', 'a/x/b', 'a/x/y/b'], ['ab', 'a/xb', 'a/b/c']],
    ['a/**/b/**/c', ['a/b/c', 'a/x/b/y/z/c'], ['a/c', 'a/b']],
    ['a**/b', ['a/b', 'ax/b'], ['a/x/b']],
    ['src/**.ts', ['src/a.ts'], ['src/a/b.ts']],
    ['a?c', ['abc', 'a.c'], ['ac', 'a/c']],
    ['[ab]/[!c]', ['a/b', 'b/d'], ['c/b', 'a/c']],
    ['[^a]x', ['bx'], ['ax']],
    ['v[0-9]', ['v1'], ['va']],
    ['{a}/x', ['a/x'], ['{a}/x']],
    ['*.{js}', ['a.js'], ['a.ts']],
    ['{a/b,c}/d', ['a/b/d', 'c/d'], ['a/d']],
    ['{a,{b,c}d}', ['a', 'bd', 'cd'], ['b']],
    ['a{', ['a{'], ['a']],
    ['{,x}a', ['a', 'xa'], ['ya']],
    ['/a', [], ['a']],
    ['./a', [], ['a']],
    ['\\*', ['*'], ['a', '\\*']],
    ['ä?', ['äö', 'ä😀'], ['äöü']],
  ])('%s: %j, not %j', (pattern, fitting, others) => {
    expect(fitting.filter((path) => !fits(pattern, path))).toEqual([])
    expect(others.filter((path) => fits(pattern, path))).toEqual([])
  })
})

test('the short ways to look at a path find what comparing it piece by piece finds', () => {
  const part = fc.constantFrom('a', 'b', '.c', 'a.b')
  const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'))
  fc.assert(
    fc.property(path, path, fc.constantFrom('.c', 'b', ''), (directory, candidate, ending) => {
      // A class of one character is the character, and the pattern is not treated as a plain path.
      const slowly = (text: string) =>
        text.replaceAll('a', '[a]').replaceAll('b', '[b]').replaceAll('c', '[c]')
      for (const pattern of [directory, `${directory}/**/*`, `**/*${ending}`]) {
        expect(fits(pattern, candidate)).toBe(fits(slowly(pattern), candidate))
      }
    }),
  )
})

test('patterns that multiply or repeat end at once', () => {
  const path = `${'a/'.repeat(2000)}b`
  expect(fits('**/a/'.repeat(200) + 'c', path)).toBe(false)
  expect(fits('*a'.repeat(500), 'a'.repeat(5000) + 'b')).toBe(false)
  expect(pathGlob('{a,b}'.repeat(30)).cost).toBeLessThanOrEqual(1025)
  expect(pathGlob('{'.repeat(5000)).cost).toBe(1)
})
