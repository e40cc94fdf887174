import { expect, test } from 'vitest'

import { loadConfig } from '../../src/ci-config/yaml/load-config.js'
import { RecentTexts } from '../../src/lib/recent-texts.js'

function recorder() {
  const made: string[] = []
  const recent = new RecentTexts({ ofOne: 6, ofAll: 12 }, (text, name) => {
    if (text === 'bad') throw new Error('bad')
    made.push(`${name} ${text}`)
    return { text }
  })
  return { made, recent }
}

test('a text is made something of once for each name', () => {
  const { made, recent } = recorder()
  expect(recent.get('abc', 'f')).toBe(recent.get('abc', 'f'))
  recent.get('abc', 'g')
  expect(made).toEqual(['f abc', 'g abc'])
})

test('of too many texts those go that were not asked for the longest', () => {
  const { made, recent } = recorder()
  for (const text of ['aaa', 'bbb', 'aaa', 'ccc', 'aaa', 'bbb']) recent.get(text, 'f')
  expect(made).toEqual(['f aaa', 'f bbb', 'f ccc', 'f bbb'])
})

test('a long text and one that cannot be read are tried each time', () => {
  const { made, recent } = recorder()
  recent.get('too long', 'f')
  recent.get('too long', 'f')
  expect(() => recent.get('bad', 'f')).toThrow('bad')
  expect(() => recent.get('bad', 'f')).toThrow('bad')
  expect(made).toEqual(['f too long', 'f too long'])
})

test('a file that was read before is not parsed again, and its problems name the file that they are in', () => {
  const text = 'a: {script: x}'
  expect(loadConfig(text, 'one.yml')).toBe(loadConfig(text, 'one.yml'))
  expect(() => loadConfig('a: [', 'one.yml')).toThrow(/line 1/)
  expect(loadConfig(text, 'other.yml')).not.toBe(loadConfig(text, 'one.yml'))
})
