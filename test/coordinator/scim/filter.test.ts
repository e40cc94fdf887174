import { describe, expect, test } from 'vitest'

import { parseFilter, parsePath } from '../../../src/coordinator/scim/protocol/filter.js'
import { matches } from '../../../src/coordinator/scim/protocol/matches.js'

describe('a filter', () => {
  const path = (attribute: string, sub?: string) => ({ attribute, elements: undefined, sub })
  const eq = (attribute: string, value: unknown) => ({
    kind: 'compare',
    path: path(attribute),
    operator: 'eq',
    value,
  })

  test.each([
    ['userName eq "ada"', eq('username', 'ada')],
    ['USERNAME Eq "a \\"b\\" \\u00e9"', eq('username', 'a "b" é')],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "ada"', eq('username', 'ada')],
    ['active eq true', eq('active', true)],
    ['id eq 7', eq('id', 7)],
    ['externalId eq null', eq('externalid', null)],
    ['title pr', { kind: 'present', path: path('title') }],
    ['emails.value eq "a"', { ...eq('emails', 'a'), path: path('emails', 'value') }],
    [
      'a eq "1" or b eq "2" and not (c eq "3")',
      {
        kind: 'or',
        filters: [
          eq('a', '1'),
          { kind: 'and', filters: [eq('b', '2'), { kind: 'not', filter: eq('c', '3') }] },
        ],
      },
    ],
    [
      'emails[type eq "work"].value eq "a"',
      { ...eq('', 'a'), path: { attribute: 'emails', elements: eq('type', 'work'), sub: 'value' } },
    ],
    [
      'id eq "1" and members[value eq "2"]',
      {
        kind: 'and',
        filters: [
          eq('id', '1'),
          {
            kind: 'element',
            path: { attribute: 'members', elements: eq('value', '2'), sub: undefined },
          },
        ],
      },
    ],
  ])('%s is read', (text, filter) => {
    expect(parseFilter(text)).toEqual(filter)
  })

  test.each([
    ['', 'it is not complete'],
    ['userName', 'it is not complete'],
    ['userName eq', 'a value is missing'],
    ['userName eq ada', 'must be in quotes'],
    ['userName is "ada"', 'is is not an operator'],
    ['userName eq "ada', 'has no end'],
    ['userName eq "\\x"', 'is not a text of JSON'],
    ['userName eq "a" "b"', '"b" is not expected'],
    ['(userName eq "a"', '")" is missing'],
    ['not userName eq "a"', '"(" is missing'],
    ['emails[type eq "work"', '"]" is missing'],
    ['a.b.c eq "x"', 'is not the name of an attribute'],
    ['a\'; drop table eq "x"', 'is not the name of an attribute'],
    ['__proto__ eq "x"', 'is not the name of an attribute'],
    [`a eq "${'x'.repeat(2000)}"`, 'more than 2000 characters'],
    [`${'('.repeat(900)}a pr${')'.repeat(900)}`, 'more than 8 filters'],
    [`a${'[a'.repeat(900)}`, 'more than 8 filters'],
    [Array.from({ length: 60 }, () => 'a pr').join(' or '), 'more than 50 comparisons'],
  ])('%.40s is refused', (text, problem) => {
    expect(() => parseFilter(text)).toThrow(problem)
  })

  test.each([
    ['type eq "WORK"', true],
    ['type ne "work"', false],
    ['value co "@corp" and value sw "ada"', true],
    ['value ew "example" or missing pr', true],
    ['not (primary eq true)', false],
    ['primary eq "true"', false],
    ['missing eq null', true],
  ])('%s is compared with an element of a list', (text, isMet) => {
    const element = { type: 'work', value: 'ada@corp.example', primary: true }
    expect(matches(parseFilter(text), element)).toBe(isMet)
  })
})

test.each([
  ['active', ['active', undefined]],
  ['name.givenName', ['name', 'givenname']],
  ['urn:ietf:params:scim:schemas:core:2.0:User:name.familyName', ['name', 'familyname']],
  [
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
    ['urn:ietf:params:scim:schemas:extension:enterprise:2.0:user:department', undefined],
  ],
])('the path %s is read', (text, [attribute, sub]) => {
  expect(parsePath(text)).toEqual({ attribute, elements: undefined, sub })
})
