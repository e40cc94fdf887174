import { expect, test } from 'vitest'

import { MAX_COMMANDS, readCommands } from '../../../../src/coordinator/planning/commands.js'
import { dayOf } from '../../../../src/coordinator/planning/quick-actions/arguments.js'

test('quick actions are lines of their own, outside of code and quotes', () => {
  const text = [
    'Text /close',
    '/label ~bug ~"to do"',
    '> /close',
    '`/close`',
    '```',
    '/close',
    '```',
    '',
    '    /close',
    '',
    '/Estimate  1h ',
    '/etc/passwd',
    '/unknown x',
    'End',
  ].join('\n')
  const { text: rest, commands } = readCommands(text)
  expect(commands).toEqual([
    { name: 'label', args: '~bug ~"to do"' },
    { name: 'estimate', args: '1h' },
  ])
  expect(rest.split('\n')).toEqual([
    ...['Text /close', '> /close', '`/close`', '```', '/close', '```', '', '    /close', ''],
    ...['/etc/passwd', '/unknown x', 'End'],
  ])
})

test('a text without quick actions stays as it is', () => {
  for (const text of ['  a/b \n', '', '/ close\n', 'x\r\n /close']) {
    expect(readCommands(text)).toEqual({ text, commands: [] })
  }
})

test('a text has at most fifty quick actions: with more, none is read and the error counts them', () => {
  expect(readCommands('/close\n'.repeat(MAX_COMMANDS)).commands).toHaveLength(MAX_COMMANDS)
  expect(() => readCommands(`Hello\n${'/label ~a\n'.repeat(100_000)}`)).toThrow(
    expect.objectContaining({
      status: 400,
      body: {
        message:
          '400 Bad request - A text may have at most 50 quick actions, and this one has 100000: none of them was applied, and nothing was saved',
      },
    }) as Error,
  )
  // What is no quick action does not count.
  const text = '/etc\n> /close\n    /close\n'.repeat(100)
  expect(readCommands(`\`\`\`\n${text}`)).toEqual({ text: `\`\`\`\n${text}`, commands: [] })
})

test('some stand for a text', () => {
  expect(readCommands('/shrug Well')).toEqual({ text: 'Well ¯\\\\_(ツ)_/¯', commands: [] })
  expect(readCommands('Hi\r\n/close\r\n').text).toBe('Hi')
})

test('a day is a date, today, tomorrow or so many days, weeks or months from now', () => {
  const now = Date.parse('2030-01-31T12:00:00Z')
  const days = ['2030-02-28', 'today', 'Tomorrow', 'in 2 weeks', 'in 1 month'].map((text) => dayOf(text, now))
  expect(days).toEqual(['2030-02-28', '2030-01-31', '2030-02-01', '2030-02-14', '2030-03-02'])
  for (const text of ['2030-02-30', 'soon', 'in x days', '']) expect(dayOf(text, now)).toBeUndefined()
})
