import { expect, test } from 'vitest'

import type { CodeOwners, Owner } from '../../src/code-owners/code-owners.js'
import { MAX_LENGTH, parseCodeOwners } from '../../src/code-owners/parse-code-owners.js'

const OWNERS: { [kind in Owner['kind']]: (owner: Extract<Owner, { kind: kind }>) => string } = {
  name: ({ name }) => `@${name}`,
  email: ({ email }) => email,
  role: ({ role }) => `@@${role}`,
}

function shownOwner(owner: Owner): string {
  if (owner.kind === 'name') return OWNERS.name(owner)
  return owner.kind === 'email' ? OWNERS.email(owner) : OWNERS.role(owner)
}

/** `section n: pattern = owners`, one for each entry. */
function shown({ sections }: CodeOwners): string[] {
  return sections.flatMap(({ name, isOptional, approvals, entries }) =>
    entries.map(
      ({ pattern, owners }) =>
        `${isOptional ? '^' : ''}${name ?? ''} ${approvals}: ${[pattern, '=', ...owners.map(shownOwner)].join(' ')}`,
    ),
  )
}

function problems(text: string): string[] {
  return parseCodeOwners(text).problems.map(({ line, kind }) => `${line} ${kind}`)
}

test.each<[what: string, text: string, entries: string[]]>([
  [
    'users, groups, addresses and roles',
    '* @ada @g/sub bea@x.org @@maintainers',
    [' 1: * = @ada @g/sub bea@x.org @@maintainer'],
  ],
  ['tabs, carriage returns and spaces around', '\t*.rb\t@ada \r\n', [' 1: *.rb = @ada']],
  [
    'comments, also after the owners',
    '# all\n* @ada # not @bea\n*.c#x @ada',
    [' 1: * = @ada', ' 1: *.c#x = @ada'],
  ],
  ['escapes', '\\#a\\ b @ada\n\\!b @ada', [' 1: #a b = @ada', ' 1: !b = @ada']],
  ['exclusions', '* @ada\n!/docs/', [' 1: * = @ada', ' 1: !/docs/ =']],
  ['a section', '[Docs]\ndocs/ @ada', ['Docs 1: docs/ = @ada']],
  [
    'a section with default owners',
    '[Docs][2] @ada @bea\ndocs/\nlib/ @cy',
    ['Docs 2: docs/ = @ada @bea', 'Docs 2: lib/ = @cy'],
  ],
  ['an optional section needs no approvals', '^[Docs][2] @ada\ndocs/', ['^Docs 0: docs/ = @ada']],
  ['sections of one name', '^[Docs] @ada\na\n[docs][3] @bea\nb', ['Docs 3: a = @ada', 'Docs 3: b = @bea']],
  [
    'optional sections of one name',
    '^[Docs]\na @ada\n^[DOCS]\nb @ada',
    ['^Docs 0: a = @ada', '^Docs 0: b = @ada'],
  ],
  ['a set of characters is no section', '[Dd]ocs/ @ada', [' 1: [Dd]ocs/ = @ada']],
])('reads %s', (_what, text, entries) => {
  expect(shown(parseCodeOwners(text))).toEqual(entries)
  expect(problems(text)).toEqual([])
})

test.each<[what: string, text: string, found: string[], entries: string[]]>([
  ['a section without a name', '[ ] @ada\na', ['1 section_without_name'], ['Section in line 1 1: a = @ada']],
  [
    'a section that is not closed',
    'a @ada\n[Docs @bea\nb @bea',
    ['2 section_not_closed'],
    [' 1: a = @ada', ' 1: b = @bea'],
  ],
  ['no number of approvals', '[Docs][0] @ada\na', ['1 approvals_invalid'], ['Docs 1: a = @ada']],
  ['words as a number', '[Docs][two] @ada\na', ['1 approvals_invalid'], ['Docs 1: a = @ada']],
  [
    'owners without @',
    'a ada @bea @-x @@boss',
    ['1 owner_malformed', '1 owner_malformed', '1 owner_malformed'],
    [' 1: a = @bea'],
  ],
  ['no owner', '* @ada\na', ['2 no_owner'], [' 1: * = @ada', ' 1: a =']],
  [
    'malformed owners only, beside default owners',
    '[Docs] @ada\na bea',
    ['2 owner_malformed'],
    ['Docs 1: a = @ada'],
  ],
  ['an exclusion with owners', '!a @ada', ['1 exclusion_with_owners'], [' 1: !a =']],
  ['no pattern', '/ @ada\n! @ada', ['1 pattern_missing', '2 pattern_missing'], []],
])('reports %s, and reads the rest', (_what, text, found, entries) => {
  expect(problems(text)).toEqual(found)
  expect(shown(parseCodeOwners(text))).toEqual(entries)
})

test.each<[what: string, text: string, kind: string]>([
  ['a long file', `${'# \n'.repeat(MAX_LENGTH / 3)}more`, 'file_too_large'],
  ['many patterns', 'a @ada\n'.repeat(10_001), 'file_too_large'],
  ['many sections', Array.from({ length: 1002 }, (_, index) => `[${index}]`).join('\n'), 'file_too_large'],
  ['a long line', `a${' @ada'.repeat(3000)}`, 'line_too_long'],
  ['a pattern with many folders', `${'a/'.repeat(100)} @ada`, 'pattern_too_complex'],
])('says that it has not read all of %s', (_what, text, kind) => {
  const { isComplete, problems: found } = parseCodeOwners(text)
  expect(isComplete).toBe(false)
  expect(found.map((problem) => problem.kind)).toContain(kind)
})

test('keeps a bounded number of problems and owners', () => {
  expect(parseCodeOwners('a\n'.repeat(5000)).problems).toHaveLength(100)
  const [section] = parseCodeOwners(`a${' @ada'.repeat(200)}`).sections
  expect(section?.entries[0]?.owners).toHaveLength(100)
})
