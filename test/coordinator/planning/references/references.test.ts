import fc from 'fast-check'
import { expect, test } from 'vitest'

import { mentionsIn } from '../../../../src/coordinator/planning/notices/mentions.js'
import { closingReferences } from '../../../../src/coordinator/planning/references/closing.js'
import {
  findReferences,
  MAX_SEARCHED,
} from '../../../../src/coordinator/planning/references/find-references.js'
import { partsOutsideCode } from '../../../../src/coordinator/planning/references/outside-code.js'
import { ReferenceBudget } from '../../../../src/coordinator/planning/references/reference-budget.js'
import type { Reference, ReferenceKind } from '../../../../src/coordinator/planning/references/reference.js'
import { charactersMatched } from '../../support/characters-matched.js'

const at = { externalUrl: 'https://ci.test/base' }

const ALL: ReferenceKind[] = ['issue', 'merge_request', 'snippet', 'label', 'milestone', 'commit', 'user']

function findAll(text: string): Reference[] {
  return findReferences(text, { ...at, wanted: new ReferenceBudget(ALL, Infinity) })
}

function found(text: string): object[] {
  return findAll(text).map(({ start, end, ...target }) => ({
    ...target,
    text: text.slice(start, end),
  }))
}

const issue = (iid: number, text = `#${iid}`, more = {}) => ({ kind: 'issue', iid, text, ...more })
const label = (name: string, text = `~${name}`, more = {}) => ({ kind: 'label', name, text, ...more })
const milestone = (name: string, text = `%${name}`) => ({ kind: 'milestone', name, text })
const user = (name: string) => ({ kind: 'user', name, text: `@${name}` })
const commit = (sha: string, text = sha, more = {}) => ({ kind: 'commit', sha, text, ...more })

test.each([
  ['#1', [issue(1)]],
  ['(#1), "#2" and #3.', [issue(1), issue(2), issue(3)]],
  ['app#3', [issue(3, 'app#3', { project: 'app' })]],
  ['see group/sub.group/app#3!', [issue(3, 'group/sub.group/app#3', { project: 'group/sub.group/app' })]],
  ['!2', [{ kind: 'merge_request', iid: 2, text: '!2' }]],
  ['g/p!2', [{ kind: 'merge_request', iid: 2, text: 'g/p!2', project: 'g/p' }]],
  ['cost: $4', [{ kind: 'snippet', id: 4, text: '$4' }]],
  ['Thanks @ann.b, and @g/sub!', [user('ann.b'), user('g/sub')]],
  [
    '~bug ~"two words" ~priority::high.',
    [label('bug'), label('two words', '~"two words"'), label('priority::high')],
  ],
  ['g/p~"a b"', [label('a b', 'g/p~"a b"', { project: 'g/p' })]],
  ['%v1.0, %3 and %"next one"', [milestone('v1.0'), milestone('3'), milestone('next one', '%"next one"')]],
  ['since 1234abc, not 123ab', [commit('1234abc')]],
  ['g/p@1234abcd', [commit('1234abcd', 'g/p@1234abcd', { project: 'g/p' })]],
  ['after 0123456789012345678901234567890123456789.', [commit('0123456789'.repeat(4))]],
  [
    'https://ci.test/base/g/p/-/issues/7#note_1, https://ci.test/base/g/p/merge_requests/8.',
    [
      issue(7, 'https://ci.test/base/g/p/-/issues/7#note_1', { project: 'g/p', isUrl: true }),
      {
        kind: 'merge_request',
        iid: 8,
        project: 'g/p',
        isUrl: true,
        text: 'https://ci.test/base/g/p/merge_requests/8',
      },
    ],
  ],
  [
    '<https://ci.test/base/g/p/-/commit/1234abc>',
    [commit('1234abc', 'https://ci.test/base/g/p/-/commit/1234abc', { project: 'g/p', isUrl: true })],
  ],
])('references are found: %j', (text, references) => {
  expect(found(text)).toEqual(references)
})

test.each([
  ...['a#b', '#', '#0', '#01x', '#1a', '#99999999999', '&#39;', '\\#1', 'é#1', '100%', '50 % of', '~~gone~~'],
  ...[
    'ann@example.com',
    'https://other.test/g/p/-/issues/7',
    'https://other.test/#1',
    '@',
    '~"open',
    '~"a\nb"',
  ],
  ...['`#1`', '``#1 ` #2``', '```\n#1\n```', '~~~ x\n#1\n~~~~', '- ```\n  #1\n  ```', '> ```\n> #1\n> ```'],
  ...['    #1', 'a\n\n    #1\n\n\t#2', '```\n#1', 'a `b\n#1` c'],
])('no reference is in %j', (text) => {
  expect(found(text)).toEqual([])
})

test.each([
  ['`#1 ` #2', [issue(2)]],
  ['`#1', [issue(1)]],
  ['`` #1 `', [issue(1)]],
  ['\\`#1`', [issue(1)]],
  ['a\n    #1', [issue(1)]],
  ['- a\n\n    #1', [issue(1)]],
  ['a `b\n\n#1` c', [issue(1)]],
  ['> ```\n> #1\n\n#2', [issue(2)]],
  ['```a`\n#1', [issue(1)]],
  ['```\n#1\n```\n#2', [issue(2)]],
  ['````\n```\n#1\n````\n#2', [issue(2)]],
  ['a\r\n```\r\n#1\r\n```\r\n#2\r\n', [issue(2)]],
])('text around code has references: %j', (text, references) => {
  expect(found(text)).toEqual(references)
})

test.each([
  ['Closes #1', ['#1']],
  ['closes #1, #2 and g/p#3', ['#1', '#2', 'g/p#3']],
  ['Fix: #4', ['#4']],
  ['This fixes issue #5, and resolved issues #6 #7, and #8', ['#5', '#6', '#7', '#8']],
  ['Implements https://ci.test/base/g/p/-/issues/9', ['g/p#9']],
  ['IMPLEMENTING #1', ['#1']],
  ['Closes #1 and closes #1', ['#1']],
  ['Closes #1 and mentions #2', ['#1']],
  ['Closes #1 and\n#2', ['#1']],
  ['Refixes #1, closes#2, fix !3, closes: and #4, `closes #5`', []],
])('the issues that %j closes', (text, issues) => {
  expect(closingReferences(text, at).map(({ project = '', iid }) => `${project}#${iid}`)).toEqual(issues)
})

const piece = fc.oneof(
  fc.constantFrom(
    ...[
      '`',
      '``',
      '```',
      '\n',
      '\n\n',
      '    ',
      '\t',
      '- ',
      '> ',
      '~~~',
      '\\',
      ' ',
      '.',
      '/',
      '-',
      '"',
      'é',
      '&',
    ],
    ...['#1', 'g/p#2', '!3', '@ann', '~bug', '~"a b"', '%v1', '$4', '1234abc', 'Closes ', ' and ', ', '],
    ...['https://ci.test/base/g/p/-/issues/7', 'http', '://', '#', '!', '@', '~', '%', '$', 'x'],
  ),
  fc.string({ maxLength: 5 }),
)
const texts = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''))

test('references are inside the text, in order, without overlaps, and none is in code', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const parts = partsOutsideCode(text)
      let end = 0
      for (const reference of findAll(text)) {
        expect(reference.start).toBeGreaterThanOrEqual(end)
        expect(reference.end).toBeGreaterThan(reference.start)
        expect(parts.some((part) => part.start <= reference.start && reference.end <= part.end)).toBe(true)
        ;({ end } = reference)
      }
    }),
    { numRuns: 2000 },
  )
})

test('a text in a fence has no references, whatever it is', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)))
      expect(findAll(`#1\n${fence}\n${text}\n${fence}\n#2`)).toMatchObject([{ iid: 1 }, { iid: 2 }])
    }),
    { numRuns: 1000 },
  )
})

test('a reference between words is found after any text that has no code', () => {
  fc.assert(
    fc.property(
      texts.map((text) => text.replaceAll(/[`\\]|~~~+/g, '')),
      (text) => {
        const last = findAll(`${text}\n\nsee g/p#17 here`).at(-1)
        const expected: Partial<Reference> = { kind: 'issue', iid: 17, project: 'g/p' }
        expect(last).toMatchObject(expected)
      },
    ),
    { numRuns: 1000 },
  )
})

const HOSTILE = [
  ...[
    '`',
    '`` ` ',
    '\\`',
    '#',
    '#1',
    '# ',
    '~',
    '~"',
    '%"a',
    '@',
    '@a',
    'a/',
    '....',
    './.-',
    '1234abc',
    '0',
    '-',
  ],
  ...[
    'https://',
    'https://ci.test/base/',
    'https://ci.test/base/issues/1/',
    'https://x.',
    '> ',
    '- ',
    '1. ',
    '\n',
  ],
  ...[
    '```\n',
    '    a\n\n',
    'fix ',
    'fix: ',
    'closes #1 ',
    'closes #1     ,',
    '#1, and ',
    ' ',
    '\t',
    'a@',
    'é',
    '&#',
  ],
]

test.each(HOSTILE)('the work for many of %j is in proportion to their number', (unit) => {
  const work = (length: number) => {
    const text = `closes #1${unit.repeat(Math.ceil(length / unit.length))}x`
    return charactersMatched(() => {
      closingReferences(text, at)
      mentionsIn(text)
      findAll(text)
    })
  }
  // A quadratic search would take four times as much for twice the length.
  expect(work(4000)).toBeLessThan(2.5 * work(2000))
})

test('only the first 64 Ki characters of a text are searched', () => {
  const near = MAX_SEARCHED - 'see @bob'.length
  expect(found(`${'x '.repeat(near / 2)}see @bob and @ann`)).toEqual([])
  expect(found(`${'x '.repeat(near / 2 - 1)}see @bob and @ann`)).toEqual([user('bob')])
  const [short, long] = [MAX_SEARCHED, 16 * MAX_SEARCHED].map((length) =>
    charactersMatched(() => closingReferences('fix #1, '.repeat(length / 8), at)),
  )
  expect(long).toBe(short)
})

test('a search ends when there are enough references of each wanted kind', () => {
  const text = `${'#1 '.repeat(5000)}!2 @ann ${'!2 '.repeat(5000)}@bob`
  const of = (...kinds: ReferenceKind[]) =>
    findReferences(text, { ...at, wanted: new ReferenceBudget(kinds, 2) }).map(({ start, end }) =>
      text.slice(start, end),
    )
  expect(of('issue')).toEqual(['#1', '#1'])
  expect(of('user', 'issue')).toEqual(['#1', '#1', '@ann', '@bob'])
  expect(of('merge_request', 'user')).toEqual(['!2', '@ann', '!2', '@bob'])
  const wanted = new ReferenceBudget(['issue'], 3)
  const many = charactersMatched(() => findReferences(text, { ...at, wanted }))
  expect(many).toBeLessThan(1000)
  expect(wanted.isSpent).toBe(true)
})
