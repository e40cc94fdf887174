import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'

import { operation } from '../../../src/coordinator/http/operation.js'
import { DateOnly, DateTime, Nullable, OneOf } from '../../../src/coordinator/http/parameters/types.js'
import { openSqlite } from '../../support/databases.js'
import { openForFile } from '../../support/lifetime.js'
import { openApp } from '../support/test-app.js'

// Every row of a table (API, A5), in each of the forms that a client may choose.

const Anything = Type.Object({
  flag: Type.Optional(Type.Boolean()),
  count: Type.Optional(Type.Integer()),
  ratio: Type.Optional(Type.Number()),
  text: Type.Optional(Type.String()),
  name: Type.Optional(Type.String()),
  search: Type.Optional(Type.String()),
  anything: Type.Optional(Type.Unknown()),
  note: Type.Optional(Nullable(Type.String())),
  parent: Type.Optional(Nullable(Type.Integer())),
  state: Type.Optional(OneOf('opened', 'closed')),
  day: Type.Optional(Nullable(DateOnly())),
  time: Type.Optional(DateTime()),
  scope: Type.Optional(Type.Array(Type.String())),
  assignee_ids: Type.Optional(Type.Array(Type.Integer())),
  labels: Type.Optional(Type.Array(Type.String())),
  tag_list: Type.Optional(Type.Array(Type.String())),
  iids: Type.Optional(Type.Array(Type.Integer())),
  user_ids: Type.Optional(Type.Array(Type.Integer())),
  scopes: Type.Optional(Type.Array(Type.String())),
  topics: Type.Optional(Type.Array(Type.String())),
  milestones: Type.Optional(Type.Array(Type.String())),
  filter: Type.Optional(Type.Object({ environment_scope: Type.Optional(Type.String()) })),
  not: Type.Optional(Type.Object({ labels: Type.Optional(Type.Array(Type.String())) })),
  vars: Type.Optional(Type.Record(Type.String(), Type.String())),
  variables: Type.Optional(
    Type.Array(Type.Object({ key: Type.String(), value: Type.Optional(Type.String()) })),
  ),
})

const operations = [
  operation('POST /echo', {
    summary: 'What was given',
    access: 'anyone',
    params: Anything,
    responses: { 201: Type.Record(Type.String(), Type.Unknown()) },
    run: async ({ params }) => params,
  }),
  operation('GET /echo', {
    summary: 'What was given',
    access: 'anyone',
    params: Anything,
    responses: { 200: Type.Record(Type.String(), Type.Unknown()) },
    run: async ({ params }) => params,
  }),
]

const echo = openForFile(async () => openApp((await openSqlite()).database, operations))

type Pairs = [name: string, value: string][]

const FORMS = {
  query: (pairs: Pairs) => ({ url: `/api/v4/echo?${new URLSearchParams(pairs).toString()}` }),
  'query of a GET': (pairs: Pairs) => ({
    method: 'GET' as const,
    url: `/api/v4/echo?${new URLSearchParams(pairs).toString()}`,
  }),
  'urlencoded body': (pairs: Pairs) => ({
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(pairs).toString(),
  }),
  'multipart body': (pairs: Pairs) => ({
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    payload: `${pairs
      .map(([name, value]) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
      .join('')}--b--\r\n`,
  }),
}

const TRUE = 'true True TRUE t T 1 on On ON yes Yes YES y Y'.split(' ')
const FALSE = 'false False FALSE f F 0 off Off OFF no No NO n N'.split(' ')
const COMMA_LISTS = ['labels', 'tag_list', 'scopes', 'topics', 'milestones']

const written: [pairs: Pairs, expected: object][] = [
  ...TRUE.map((word): [Pairs, object] => [[['flag', word]], { flag: true }]),
  ...FALSE.map((word): [Pairs, object] => [[['flag', word]], { flag: false }]),
  [[['flag', '']], {}],
  [[['flag', 'maybe']], { error: 'flag is invalid' }],
  [[['flag', 'tRUE']], { error: 'flag is invalid' }],
  [[['count', '12']], { count: 12 }],
  [[['count', '-3']], { count: -3 }],
  [[['count', '']], {}],
  [[['count', '1.5']], { error: 'count is invalid' }],
  [[['count', '0x10']], { error: 'count is invalid' }],
  [[['count', '99999999999999999999']], { error: 'count is invalid' }],
  [[['ratio', '0.25']], { ratio: 0.25 }],
  [[['text', '']], { text: '' }],
  [[['note', '']], { note: '' }],
  [[['parent', '']], { parent: null }],
  [[['state', 'closed']], { state: 'closed' }],
  [[['state', 'ajar']], { error: 'state does not have a valid value' }],
  [[['day', '2013-10-02']], { day: '2013-10-02' }],
  [[['day', '']], { day: null }],
  [[['day', '2013-02-30']], { error: 'day is invalid' }],
  [[['day', 'tomorrow']], { error: 'day is invalid' }],
  [[['time', '']], {}],
  [[['time', '2013-10-02T09:24:18Z']], { time: '2013-10-02T09:24:18.000Z' }],
  [[['time', '2013-10-02T09:24:18.5+03:00']], { time: '2013-10-02T06:24:18.500Z' }],
  [[['time', '2013-10-02T09:24:18+0300']], { time: '2013-10-02T06:24:18.000Z' }],
  [[['time', '2013-10-02']], { time: '2013-10-02T00:00:00.000Z' }],
  [[['time', '2013-10-02T09:24:18']], { time: '2013-10-02T09:24:18.000Z' }],
  [[['time', '2013-10-02T09:24:18 03:00']], { error: 'time is invalid' }],
  [[['time', '2013-10-02 junk']], { error: 'time is invalid' }],
  [
    [
      ['scope[]', 'a'],
      ['scope[]', 'b'],
    ],
    { scope: ['a', 'b'] },
  ],
  [
    [
      ['scope[0]', 'a'],
      ['scope[1]', 'b'],
    ],
    { scope: ['a', 'b'] },
  ],
  [
    [
      ['scope', 'a'],
      ['scope', 'b'],
    ],
    { scope: ['a', 'b'] },
  ],
  [[['scope', 'a']], { scope: ['a'] }],
  [[['scope', 'a,b']], { scope: ['a,b'] }],
  [[['assignee_ids[]', '0']], { assignee_ids: [0] }],
  [[['assignee_ids', '']], { assignee_ids: [] }],
  [[['assignee_ids[]', 'x']], { error: 'assignee_ids[0] is invalid' }],
  [[['labels', '']], { labels: [] }],
  ...COMMA_LISTS.map((name): [Pairs, object] => [[[name, 'a,b']], { [name]: ['a', 'b'] }]),
  ...['iids', 'user_ids'].map((name): [Pairs, object] => [[[name, '1,2']], { [name]: [1, 2] }]),
  [[['filter[environment_scope]', 'prod']], { filter: { environment_scope: 'prod' } }],
  [[['filter', 'prod']], { error: 'filter is invalid' }],
  [[['not[labels]', 'a,b']], { not: { labels: ['a', 'b'] } }],
  [[['not[labels][]', 'a']], { not: { labels: ['a'] } }],
  [[['vars[KEY]', 'v']], { vars: { KEY: 'v' } }],
  [
    [
      ['variables[][key]', 'A'],
      ['variables[][value]', '1'],
      ['variables[][key]', 'B'],
    ],
    { variables: [{ key: 'A', value: '1' }, { key: 'B' }] },
  ],
  [
    [
      ['variables[0][key]', 'A'],
      ['variables[1][key]', 'B'],
    ],
    { variables: [{ key: 'A' }, { key: 'B' }] },
  ],
  [[['variables[][value]', '1']], { error: 'variables[0][key] is missing' }],
  [[['unknown', 'x']], {}],
  [[['Flag', 'true']], {}],
  [[['__proto__[flag]', 'true']], {}],
  [[['constructor[prototype][flag]', 'true']], {}],
]

describe.each(Object.entries(FORMS))('%s', (_, request) => {
  test.each(written)('%j', async (pairs, expected) => {
    const { app } = echo()
    const response = await app.inject({ method: 'POST', url: '/api/v4/echo', ...request(pairs) })
    expect(response.json()).toEqual(expected)
    if ('error' in expected) expect(response.statusCode).toBe(400)
  })
})

describe('JSON body', () => {
  test.each([
    ['{"flag":true}', { flag: true }],
    ['{"flag":0}', { flag: false }],
    ['{"flag":"True"}', { flag: true }],
    ['{"flag":null}', {}],
    ['{"flag":2}', { error: 'flag is invalid' }],
    ['{"count":12,"ratio":1}', { count: 12, ratio: 1 }],
    ['{"count":"12"}', { count: 12 }],
    ['{"count":1.5}', { error: 'count is invalid' }],
    ['{"count":true}', { error: 'count is invalid' }],
    ['{"count":{}}', { error: 'count is invalid' }],
    ['{"text":12}', { text: '12' }],
    ['{"text":null}', {}],
    ['{"text":{"a":1}}', { error: 'text is invalid' }],
    ['{"text":"a\\u0000b"}', { error: 'text is invalid' }],
    ['{"note":null,"parent":null,"day":null}', { note: null, parent: null, day: null }],
    ['{"scope":["a","b"]}', { scope: ['a', 'b'] }],
    ['{"scope":"a"}', { scope: ['a'] }],
    ['{"scope":null}', { scope: [] }],
    ['{"scope":[{}]}', { error: 'scope[0] is invalid' }],
    ['{"tag_list":"a, b"}', { tag_list: ['a', 'b'] }],
    ['{"filter":{"environment_scope":"prod"}}', { filter: { environment_scope: 'prod' } }],
    ['{"filter":["prod"]}', { error: 'filter is invalid' }],
    ['{"vars":{"A":1}}', { vars: { A: '1' } }],
    ['{"vars":{"A\\u0000":"x"}}', { error: 'vars is invalid' }],
    ['{"text":"a\\ud800"}', { error: 'text is invalid' }],
    ['{"text":"\\udc00\\ud800"}', { error: 'text is invalid' }],
    ['{"text":"\\ud83d\\ude00"}', { text: '\u{1f600}' }],
    ['{"scope":["a","\\ud800"]}', { error: 'scope[1] is invalid' }],
    ['{"vars":{"A":"\\ud800"}}', { error: 'vars[A] is invalid' }],
    ['{"vars":{"\\ud800":"x"}}', { error: 'vars is invalid' }],
    ['{"anything":{"a":["\\u0000"]}}', { error: 'anything is invalid' }],
    ['{"anything":{"\\ud800":1}}', { error: 'anything is invalid' }],
    ['{"anything":{"a":["b"]}}', { anything: { a: ['b'] } }],
    ['{"text":"a\\u0001b"}', { text: 'a\u0001b' }],
    ['{"name":"a\\u0001b"}', { error: 'name is invalid' }],
    ['{"name":"a\\nb"}', { error: 'name is invalid' }],
    ['{"tag_list":["a","b\\n"]}', { error: 'tag_list[1] is invalid' }],
    [`{"search":"${'x'.repeat(1025)}"}`, { error: 'search is too long (maximum is 1024 characters)' }],
    ['{"variables":[{"key":"A","value":"1"}]}', { variables: [{ key: 'A', value: '1' }] }],
    ['{"variables":{"0":{"key":"A"}}}', { variables: [{ key: 'A' }] }],
    ['{"variables":["A"]}', { error: 'variables[0] is invalid' }],
    ['{"__proto__":{"flag":true},"constructor":{"prototype":{"count":1}}}', {}],
    ['{"unknown":{"deep":[1]}}', {}],
    ['', {}],
    ['  ', {}],
    ['null', {}],
    ['{}', {}],
    ['[]', { error: 'message body does not match declared format' }],
    ['"x"', { error: 'message body does not match declared format' }],
    ['{"flag":', { error: 'message body does not match declared format' }],
    [
      `{"x":${'['.repeat(5000)}${']'.repeat(5000)}}`,
      { error: 'a JSON body has at most 64 levels of objects and lists' },
    ],
  ])('%s', async (payload, expected) => {
    const { app } = echo()
    const headers = { 'content-type': 'application/json' }
    const response = await app.inject({ method: 'POST', url: '/api/v4/echo', headers, payload })
    expect(response.json()).toEqual(expected)
    if ('error' in expected) expect(response.statusCode).toBe(400)
  })
})

test.each(['scope[]=x', 'variables[][key]=x', 'a[x]=1'])(
  'fifteen hundred times %s is borne',
  async (pair) => {
    const { app } = echo()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const payload = Array.from({ length: 1500 }, () => pair).join('&')
    const response = await app.inject({ method: 'POST', url: '/api/v4/echo', headers, payload })
    expect(response.statusCode).toBe(201)
  },
)
