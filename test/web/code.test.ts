import { describe, expect, it } from 'vitest'

import { languageOf, linesOfMarkup } from '../../src/web/code/highlight.js'
import { byDay } from '../../src/web/pages/code/commits/by-day.js'
import { joinRevisions, splitRevisions } from '../../src/web/pages/code/compare/split-revisions.js'
import { exactly, possibleRefs, splitKnown, splitRefPath } from '../../src/web/pages/code/split-ref-path.js'

describe('an address with a ref and a path', () => {
  it('has as many possible refs as segments, the longest first', () => {
    expect(possibleRefs('feature/login/a.ts')).toEqual(['feature/login/a.ts', 'feature/login', 'feature'])
    expect(possibleRefs('')).toEqual([])
  })

  it.each([
    ['feature/login/src/a.ts', ['feature/login'], 'feature/login', 'src/a.ts'],
    ['v1/x/a', ['v1', 'v1/x'], 'v1/x', 'a'],
    ['main', ['main'], 'main', ''],
    ['main-2/a', ['main'], 'main-2', 'a'],
    ['3f2a1c9/src/a.ts', [], '3f2a1c9', 'src/a.ts'],
  ])('splits %s with the refs %j', (refPath, names, ref, path) => {
    expect(splitRefPath(refPath, (name) => names.includes(name))).toEqual({ ref, path })
  })

  it.each([
    ['', 'main', { ref: 'main', path: '' }],
    ['', null, undefined],
    ['main/src', 'main', { ref: 'main', path: 'src' }],
    ['release/1.0/src', 'release/1.0', { ref: 'release/1.0', path: 'src' }],
    [`${'a'.repeat(40)}/src`, 'main', { ref: 'a'.repeat(40), path: 'src' }],
    ['HEAD/src', 'main', { ref: 'HEAD', path: 'src' }],
    ['other/src', 'main', undefined],
  ])('splits %s without a list of refs where the default branch is %s', (refPath, branch, split) => {
    expect(splitKnown(refPath, branch)).toEqual(split)
  })

  it('is looked up by a pattern in which names stand for themselves', () => {
    const pattern = new RegExp(exactly(['v1.0', 'a+b']))
    expect(['v1.0', 'v1x0', 'a+b', 'aab', 'v1.0.1'].filter((name) => pattern.test(name))).toEqual([
      'v1.0',
      'a+b',
    ])
  })
})

describe('colored code', () => {
  it('is cut into lines, also inside a token', () => {
    const markup =
      '<span class="hljs-comment">/* a\n&lt;b&gt; */</span>\n<span class="hljs-keyword">let</span> x = <span class="hljs-string">`<span class="hljs-subst">${y}</span>`</span>\n'
    expect(linesOfMarkup(markup)).toEqual([
      [['/* a', 'comment']],
      [['<b> */', 'comment']],
      [['let', 'keyword'], [' x = '], ['`', 'string'], ['${y}', 'plain'], ['`', 'string']],
      [],
    ])
  })

  it.each([
    ['src/a.ts', 'typescript'],
    ['Dockerfile', 'dockerfile'],
    ['.gitlab-ci.yml', 'yaml'],
    ['LICENSE', undefined],
    ['a.constructor', undefined],
  ])('of %s has the language %s', (path, language) => {
    expect(languageOf(path)).toBe(language)
  })
})

describe('what a comparison compares', () => {
  it.each([
    ['main...feature/x', { from: 'main', to: 'feature/x', isStraight: false }],
    ['v1.0..v1.1', { from: 'v1.0', to: 'v1.1', isStraight: true }],
    ['...topic', { from: '', to: 'topic', isStraight: false }],
  ])('is read from %s', (address, revisions) => {
    expect(splitRevisions(address)).toEqual(revisions)
    expect(joinRevisions(revisions)).toBe(address)
  })

  it('is one ref without dots', () => {
    expect(splitRevisions('topic')).toEqual({ from: '', to: 'topic', isStraight: false })
  })
})

describe('a history', () => {
  it('is grouped by day', () => {
    const at = (committed_date: string) => ({ committed_date })
    const days = byDay([at('2026-11-25T12:00:00'), at('2026-11-25T11:00:00'), at('2026-11-24T12:00:00')])
    expect(days.map(({ day, commits }) => [day, commits.length])).toEqual([
      ['2026-11-25', 2],
      ['2026-11-24', 1],
    ])
  })
})
