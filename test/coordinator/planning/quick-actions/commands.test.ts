import { expect, test } from 'vitest'

import { readCommands } from '../../../../src/coordinator/planning/commands.js'
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
