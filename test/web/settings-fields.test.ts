import { describe, expect, it } from 'vitest'

import { changedSettings, draftOf, type SettingField } from '../../src/web/records/settings-fields.js'

const FIELDS: SettingField[] = [
  { name: 'name', label: 'Name', kind: 'text' },
  { name: 'pattern', label: 'Pattern', kind: 'text', isNullable: true },
  { name: 'depth', label: 'Depth', kind: 'number' },
  { name: 'limit', label: 'Limit', kind: 'number', isNullable: true },
  { name: 'topics', label: 'Topics', kind: 'list' },
  { name: 'public', label: 'Public', kind: 'check' },
  { name: 'level', label: 'Level', kind: 'select', isNumber: true, choices: [{ value: '2', label: 'All' }] },
  { name: 'method', label: 'Method', kind: 'select', choices: [{ value: 'ff', label: 'Fast-forward' }] },
]
const RECORD = {
  name: 'app',
  pattern: null,
  depth: 20,
  limit: 5,
  topics: ['a', 'b'],
  public: true,
  level: 1,
  method: 'merge',
}

describe('settings in a form', () => {
  it('are shown as texts and marks', () => {
    expect(draftOf(FIELDS, RECORD)).toEqual({
      name: 'app',
      pattern: '',
      depth: '20',
      limit: '5',
      topics: 'a, b',
      public: true,
      level: '1',
      method: 'merge',
    })
  })

  it.each([
    [{}, {}],
    [{ name: 'other' }, { name: 'other' }],
    [{ name: '' }, { name: '' }],
    [{ pattern: '^v' }, { pattern: '^v' }],
    [{ depth: '0' }, { depth: 0 }],
    [{ limit: '' }, { limit: null }],
    [{ topics: ' c ,, d' }, { topics: ['c', 'd'] }],
    [{ level: '2' }, { level: 2 }],
    [{ topics: '' }, { topics: [] }],
    [
      { public: false, method: 'ff' },
      { public: false, method: 'ff' },
    ],
  ])('%j is sent as %j', (typed, sent) => {
    expect(changedSettings(FIELDS, RECORD, { ...draftOf(FIELDS, RECORD), ...typed })).toEqual(sent)
  })

  it('that are null stay null', () => {
    const record = { ...RECORD, limit: null }
    expect(changedSettings(FIELDS, record, draftOf(FIELDS, record))).toEqual({})
  })
})
