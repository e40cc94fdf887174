import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'

import { invalidParameters } from '../../../src/coordinator/http/errors.js'
import { refuseUnknownNames } from '../../../src/coordinator/http/parameters/combinations.js'
import { compileParameters } from '../../../src/coordinator/http/parameters/compile-parameters.js'
import { parseQuery } from '../../../src/coordinator/http/parameters/fold-form.js'
import { DateOnly, Nullable, OneOf } from '../../../src/coordinator/http/parameters/types.js'

const read = compileParameters(
  Type.Object({
    flag: Type.Optional(Type.Boolean()),
    count: Type.Optional(Type.Integer({ minimum: 0 })),
    ratio: Type.Optional(Type.Number()),
    text: Type.Optional(Type.String()),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 5 })),
    note: Type.Optional(Nullable(Type.String())),
    parent: Type.Optional(Nullable(Type.Integer())),
    day: Type.Optional(DateOnly()),
    state: Type.Optional(OneOf('opened', 'closed')),
    old_state: Type.Optional(Type.Union([Type.Literal('opened'), Type.Literal('closed')])),
    list: Type.Optional(Type.Array(Type.String())),
    states: Type.Optional(Type.Array(OneOf('opened', 'closed'), { minItems: 1, maxItems: 2 })),
    tag_list: Type.Optional(Type.Array(Type.String())),
    iids: Type.Optional(Type.Array(Type.Integer())),
    filter: Type.Optional(Type.Object({ scope: Type.Optional(Type.String()) })),
    features: Type.Optional(Type.Record(Type.String(), Type.Boolean())),
    anything: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    variables: Type.Optional(
      Type.Array(Type.Object({ key: Type.String(), value: Type.Optional(Type.String()) })),
    ),
    level: Type.Optional(Type.Integer({ default: 40 })),
  }),
)

const LEVEL = { level: 40 }

describe('from a query or form', () => {
  test.each([
    ['flag=True', { flag: true }],
    ['flag=1', { flag: true }],
    ['flag=off', { flag: false }],
    ['flag=', {}],
    ['count=12', { count: 12 }],
    ['ratio=0.5', { ratio: 0.5 }],
    ['text=', { text: '' }],
    ['text=a&text=b', { text: 'b' }],
    ['note=', { note: '' }],
    ['parent=', { parent: null }],
    ['state=closed', { state: 'closed' }],
    ['list[]=a&list[]=b', { list: ['a', 'b'] }],
    ['list%5B%5D=a', { list: ['a'] }],
    ['list[0]=a&list[1]=b', { list: ['a', 'b'] }],
    ['list=a&list=b', { list: ['a', 'b'] }],
    ['list=a,b', { list: ['a,b'] }],
    ['list=', { list: [] }],
    ['tag_list=a, b', { tag_list: ['a', 'b'] }],
    ['iids=1,2', { iids: [1, 2] }],
    ['filter[scope]=prod', { filter: { scope: 'prod' } }],
    ['features[a]=yes&features[b]=no', { features: { a: true, b: false } }],
    [
      'variables[][key]=A&variables[][value]=1&variables[][key]=B',
      { variables: [{ key: 'A', value: '1' }, { key: 'B' }] },
    ],
    ['variables[0][key]=A&variables[1][key]=B', { variables: [{ key: 'A' }, { key: 'B' }] }],
    ['unknown=1&__proto__[flag]=1', {}],
    ['level=30', { level: 30 }],
  ])('%s', (query, expected) => {
    expect(read(parseQuery(query))).toEqual({ ...LEVEL, ...expected })
  })

  test.each(['list[]', 'list[%]'])('a list of 20,000 elements, each as %s, stays a list', (name) => {
    const query = Array.from({ length: 20_000 }, (_, index) => `${name.replace('%', String(index))}=${index}`)
    expect(parseQuery(query.join('&'))['list']).toEqual(query.map((_, index) => String(index)))
  })

  test.each([
    ['filter[scope=prod', {}],
    ['filter=x&filter[scope]=prod', { filter: { scope: 'prod' } }],
    ['list[3]=b&list[1]=a', { list: ['a', 'b'] }],
    ['list[]=c&list[0]=a', { list: ['a', 'c'] }],
    [
      'anything[a][b][c][d][e][f][g][h]=1',
      { anything: { a: { b: { c: { d: { e: { f: { '[g][h]': '1' } } } } } } } },
    ],
    ['[list]=a', { list: ['a'] }],
  ])('%s', (query, expected) => {
    expect(read(parseQuery(query))).toEqual({ ...LEVEL, ...expected })
  })

  test('a list of thirty elements stays a list', () => {
    const query = Array.from({ length: 30 }, (_, index) => `list[]=${index}`).join('&')
    expect(read(parseQuery(query))['list']).toHaveLength(30)
  })
})

describe('from JSON', () => {
  test.each([
    [
      { flag: true, count: 0 },
      { flag: true, count: 0 },
    ],
    [{ flag: null, count: null, text: null }, {}],
    [{ text: 12 }, { text: '12' }],
    [{ note: null }, { note: null }],
    [{ list: ['a'] }, { list: ['a'] }],
    [{ states: 'opened' }, { states: ['opened'] }],
    [{ list: null }, { list: [] }],
    [{ anything: { a: { b: [1] } } }, { anything: { a: { b: [1] } } }],
    [{ variables: [{ key: 'A', value: 'x', other: 1 }] }, { variables: [{ key: 'A', value: 'x' }] }],
  ])('%j', (body, expected) => {
    expect(read(body)).toEqual({ ...LEVEL, ...expected })
  })
})

describe('problems', () => {
  test.each([
    [{ flag: 'maybe' }, 'flag is invalid'],
    [{ count: '1.5' }, 'count is invalid'],
    [{ count: 'x', flag: 'x' }, 'flag is invalid, count is invalid'],
    [{ count: -1 }, 'count does not have a valid value'],
    [{ name: '' }, 'name is empty'],
    [{ name: 'toolong' }, 'name is too long (maximum is 5 characters)'],
    [{ text: {} }, 'text is invalid'],
    [{ text: 'a\0b' }, 'text is invalid'],
    [{ day: 'tomorrow' }, 'day is invalid'],
    [{ state: 'ajar' }, 'state does not have a valid value'],
    [{ old_state: 'ajar' }, 'old_state does not have a valid value'],
    [{ iids: ['a'] }, 'iids[0] is invalid'],
    [{ states: 'ajar' }, 'states does not have a valid value'],
    [{ states: ['opened', 'ajar'] }, 'states[1] does not have a valid value'],
    [{ states: [] }, 'states has too few values'],
    [{ states: ['opened', 'closed', 'opened'] }, 'states has too many values'],
    [{ filter: 'x' }, 'filter is invalid'],
    [{ variables: [{ value: 'x' }] }, 'variables[0][key] is missing'],
  ])('%j: %s', (given, problem) => {
    expect(() => read(given)).toThrow(invalidParameters(problem))
  })

  test('a list of texts or numbers has at most two thousand entries, however it is written', () => {
    const ones = (length: number) => Array<number>(length).fill(1)
    expect(read({ iids: ones(2000), tag_list: ones(2000).join(',') })).toMatchObject({ iids: ones(2000) })
    for (const iids of [ones(2001), ones(2001).join(',')])
      expect(() => read({ iids })).toThrow(invalidParameters('iids has too many values'))
    expect(() => read({ tag_list: ','.repeat(2000) })).toThrow('tag_list has too many values')
    expect(() => read({ list: ones(2001) })).toThrow('list has too many values')
    // Lists of objects have limits of their own.
    expect(read({ variables: Array(2001).fill({ key: 'A' }) })['variables']).toHaveLength(2001)
  })

  describe('of parameters that go together', () => {
    const readTogether = compileParameters(
      Type.Object({
        a: Type.Optional(Type.Integer()),
        b: Type.Optional(Type.String()),
        c: Type.Optional(Nullable(Type.String())),
        level: Type.Optional(Type.Integer({ default: 40 })),
      }),
      {
        exclusive: [
          ['a', 'b', 'c'],
          ['a', 'level'],
        ],
        atLeastOne: [['a', 'b', 'c']],
      },
    )
    const readPairs = compileParameters(
      Type.Object({
        a: Type.Optional(Type.Integer()),
        b: Type.Optional(Type.String()),
        c: Type.Optional(Type.String()),
      }),
      { allOrNone: [['a', 'b']], exactlyOne: [['b', 'c']] },
    )

    test.each([
      [{ a: 1 }, undefined],
      [{ c: null }, undefined],
      [{ a: null, b: 'x' }, undefined],
      [{}, 'a, b, c are missing, at least one parameter must be provided'],
      [{ a: '' }, 'a, b, c are missing, at least one parameter must be provided'],
      [{ a: 'x' }, 'a is invalid'],
      [{ a: 1, c: 'x' }, 'a, c are mutually exclusive'],
      [{ a: 1, level: 30 }, 'a, level are mutually exclusive'],
    ])('%j: %s', (given, problem) => {
      const work = () => readTogether(given)
      if (problem) expect(work).toThrow(invalidParameters(problem))
      else expect(work).not.toThrow()
    })

    test.each([
      [{ c: 'x' }, undefined],
      [{ a: 1, b: 'x' }, undefined],
      [{ a: 1, c: 'x' }, 'a, b provide all or none of parameters'],
      [{ a: 1, b: 'x', c: 'x' }, 'b, c are mutually exclusive'],
      [{}, 'b, c are missing, exactly one parameter must be provided'],
    ])('%j: %s', (given, problem) => {
      const work = () => readPairs(given)
      if (problem) expect(work).toThrow(invalidParameters(problem))
      else expect(work).not.toThrow()
    })

    const readNeeding = compileParameters(
      Type.Object({ id: Type.Optional(Type.Integer()), kind: Type.Optional(Type.String()) }),
      { needs: { id: 'kind' } },
    )

    test.each([
      [{}, undefined],
      [{ kind: 'User' }, undefined],
      [{ id: 1, kind: 'User' }, undefined],
      [{ id: 1 }, 'kind is missing'],
    ])('%j: %s', (given, problem) => {
      const work = () => readNeeding(given)
      if (problem) expect(work).toThrow(invalidParameters(problem))
      else expect(work).not.toThrow()
    })

    test('a name that is mistyped in a declaration is found at once', () => {
      const operation = { params: Type.Object({}), exclusive: [['x']] }
      expect(() => refuseUnknownNames(operation)).toThrow(/x is not a parameter/)
    })
  })

  test('everything that is missing is named at once', () => {
    const readPair = compileParameters(Type.Object({ name: Type.String(), path: Type.String() }))
    expect(() => readPair({})).toThrow(invalidParameters('name is missing, path is missing'))
  })
})
