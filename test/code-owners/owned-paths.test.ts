import { expect, test } from 'vitest'

import { compilePatterns, PatternsTooComplexError } from '../../src/code-owners/compile-patterns.js'
import { ownedPaths } from '../../src/code-owners/owned-paths.js'
import { parseCodeOwners } from '../../src/code-owners/parse-code-owners.js'

test.each<[pattern: string, matching: string[], others: string[]]>([
  ['*', ['a', 'a/b', '.x/y'], []],
  ['**', ['a', 'a/b'], []],
  ['README.md', ['README.md', 'a/README.md'], ['README.md/a', 'xREADME.md', 'readme.md']],
  ['/README.md', ['README.md'], ['a/README.md']],
  ['internal/README.md', ['internal/README.md', 'docs/internal/README.md'], ['internal/a/README.md']],
  ['docs/', ['docs/a', 'a/docs/b/c'], ['docs', 'docsx/a']],
  ['/docs/', ['docs/a', 'docs/a/b'], ['a/docs/b', 'docs']],
  ['/docs/*', ['docs/a', 'docs/.a'], ['docs/a/b', 'docs']],
  ['/docs/**', ['docs/a', 'docs/a/b'], ['docs', 'a/docs/b']],
  ['/docs/**/*.md', ['docs/a.md', 'docs/b/c/a.md'], ['docs/a.rb', 'a.md']],
  ['/docs/**/index.md', ['docs/index.md', 'docs/a/b/index.md'], ['index.md']],
  ['**/lib/**/a', ['lib/a', 'x/lib/y/z/a'], ['lib', 'a']],
  ['*.rb', ['a.rb', 'a/b.rb', '.rb'], ['a.rbx', 'a.rb/b']],
  ['/*.rb', ['a.rb'], ['a/b.rb']],
  ['/*/a', ['x/a'], ['a', 'x/y/a']],
  ['a*b*c', ['abc', 'axbxc', 'abcbc'], ['ac', 'abcx', 'xabc']],
  ['a?c', ['abc', 'a😀c'], ['ac', 'a/c']],
  ['[a-cx].rb', ['b.rb', 'x.rb'], ['d.rb', '-.rb']],
  ['/[!a]b*', ['xb', 'xbc'], ['ab']],
  ['[]a]', [']', 'a'], ['b']],
  ['/[a', ['[a'], ['a']],
  ['path\\ with\\ spaces/', ['path with spaces/a'], ['path/a']],
  ['\\#a', ['#a'], ['a']],
  ['/\\*', ['*'], ['a']],
])('%s', (pattern, matching, others) => {
  const { match } = bound([pattern])
  expect(matching.filter((path) => match(path).length !== 1)).toEqual([])
  expect(others.filter((path) => match(path).length > 0)).toEqual([])
})

function bound(patterns: string[]) {
  const sources = patterns.flatMap((pattern) => {
    const [section] = parseCodeOwners(`${pattern} @ada`).sections
    return section?.entries.map(({ source }) => source) ?? []
  })
  const matcher = compilePatterns(sources)
  return { match: (path: string) => matcher.match(path) }
}

/** `section pattern`, with the files that it decides about. */
function decided(text: string, paths: string[]): Record<string, string[]> {
  const owned = ownedPaths(parseCodeOwners(text), paths)
  return Object.fromEntries(
    owned.map(({ section, pattern, paths: of }) => [`${section ?? ''} ${pattern}`, of]),
  )
}

test('the last line that matches gives a file its owners', () => {
  const text = '* @ada\n*.rb @bea\n/lib/ @cy'
  expect(decided(text, ['a', 'a.rb', 'lib/a.rb'])).toEqual({
    ' *': ['a'],
    ' *.rb': ['a.rb'],
    ' /lib/': ['lib/a.rb'],
  })
})

test('each section gives a file owners of its own', () => {
  const text = '* @ada\n[Docs]\n*.md @bea\n^[All]\n* @cy'
  expect(decided(text, ['a.md'])).toEqual({ ' *': ['a.md'], 'Docs *.md': ['a.md'], 'All *': ['a.md'] })
})

test('excluded files and lines without owners have no owners in their section', () => {
  const text = '!*.rb\n* @ada\nfree\n[Docs]\n* @bea'
  expect(decided(text, ['a.rb', 'free', 'b'])).toEqual({ ' *': ['b'], 'Docs *': ['a.rb', 'free', 'b'] })
})

test('counts the files of a line, and names the first', () => {
  const paths = Array.from({ length: 30 }, (_, index) => `a/${index}`)
  expect(ownedPaths(parseCodeOwners('[X][2] @ada\na/'), paths)).toMatchObject([
    { section: 'X', approvals: 2, pathCount: 30, line: 2, paths: paths.slice(0, 5) },
  ])
})

test('patterns that would match for long are given up', () => {
  const stars = Array.from({ length: 2000 }, (_, index) => `*${index}*`)
  const paths = Array.from({ length: 2000 }, (_, index) => `b/${index}`)
  const text = stars.map((pattern) => `${pattern} @ada`).join('\n')
  expect(() => ownedPaths(parseCodeOwners(text), paths)).toThrow(PatternsTooComplexError)
})

test('deep paths and patterns of many `**` take time in proportion to both', () => {
  const text = `${'**/a/'.repeat(30)} @ada`
  const path = 'a/'.repeat(2000)
  expect(ownedPaths(parseCodeOwners(text), [`${path}b`])).toHaveLength(1)
})
