import { describe, expect, it } from 'vitest'

import { readEnvFile } from '../../src/web/records/env-file.js'

describe('a .env file', () => {
  it.each([
    ['A=1', [['A', '1']]],
    ['export A=1 # why', [['A', '1']]],
    ['# only a comment\n\nA = two words ', [['A', 'two words']]],
    ["A='$NOT # cut'", [['A', '$NOT # cut']]],
    ['A="line\\nbreak \\"quoted\\""', [['A', 'line\nbreak "quoted"']]],
    [
      'A="over\nlines"\nB=2',
      [
        ['A', 'over\nlines'],
        ['B', '2'],
      ],
    ],
    ['A=', [['A', '']]],
    ['A=x=y', [['A', 'x=y']]],
  ])('is read: %j', (text, entries) => {
    const read = readEnvFile(text)
    expect(read.entries.map(({ key, value }) => [key, value])).toEqual(entries)
    expect(read.wrong).toEqual([])
  })

  it('names the lines that are no assignments, and keeps the others', () => {
    expect(readEnvFile('A=1\nnonsense\n1B=2\nC="open\nD=4')).toEqual({
      entries: [
        { key: 'A', value: '1' },
        { key: 'D', value: '4' },
      ],
      wrong: [2, 3, 4],
    })
  })
})
