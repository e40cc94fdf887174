import { describe, expect, test } from 'vitest'

import { parseDotenv } from '../../../../../src/coordinator/ci/jobs/artifacts/dotenv.js'

function parse(...texts: (string | Buffer)[]): Record<string, string> | string {
  const dotenv = parseDotenv(texts.map((text) => Buffer.from(text)))
  if (dotenv.kind === 'invalid') return dotenv.problem
  return Object.fromEntries(dotenv.variables.map(({ key, value }) => [key, value]))
}

const lines = (count: number) => Array.from({ length: count }, (_, index) => `K${index}=v`).join('\n')

describe('a dotenv report', () => {
  test.each<[string, string | Buffer, Record<string, string>]>([
    ['nothing', '', {}],
    ['a line', 'A=1', { A: '1' }],
    ['a line with its end', 'A=1\n', { A: '1' }],
    ['lines of another system', 'A=1\r\nB=2\r\n', { A: '1', B: '2' }],
    ['blanks around key and value', '  A = 1 2  \n', { A: '1 2' }],
    ['an equals sign in a value', 'URL=https://x?a=b', { URL: 'https://x?a=b' }],
    ['an empty value', 'A=', { A: '' }],
    ['quotes, which stay', `A="x" 'y'`, { A: `"x" 'y'` }],
    ['references, which stay', 'A=$B', { A: '$B' }],
    ['a key twice', 'A=1\nB=2\nA=3', { A: '3', B: '2' }],
    ['a key that begins with a digit', '1A=x', { '1A': 'x' }],
    ['a byte order mark', '\uFEFFA=1', { A: '1' }],
    ['bytes that are no text', Buffer.from([0x41, 0x3d, 0xff, 0x62]), { A: '\uFFFDb' }],
    [
      'twenty variables',
      lines(20),
      Object.fromEntries(
        lines(20)
          .split('\n')
          .map((line) => line.split('=')),
      ),
    ],
  ])('may hold %s', (_name, text, variables) => {
    expect(parse(text)).toEqual(variables)
  })

  test.each([
    ['an empty line', 'A=1\n\nB=2', 'Invalid Format'],
    ['a comment', '# about\nA=1', 'Invalid Format'],
    ['a value of several lines', 'A="x\ny"', 'Invalid Format'],
    ['a key with a dash', 'A-B=1', "Validation failed: Key can contain only letters, digits and '_'."],
    ['export', 'export A=1', "Validation failed: Key can contain only letters, digits and '_'."],
    ['no key', '=1', "Validation failed: Key can contain only letters, digits and '_'."],
    ['21 variables', lines(21), 'Dotenv files cannot have more than 20 variables'],
  ])('may not hold %s', (_name, text, problem) => {
    expect(parse(text)).toBe(problem)
  })

  test('of several files is read file by file', () => {
    expect(parse('A=1', 'B=2\n', 'A=3')).toEqual({ A: '3', B: '2' })
  })
})
