import { expect, test } from 'vitest'

import { readableLine } from '../../src/cli/readable-log.js'

const cases: [string, string | undefined, string | undefined][] = [
  ['plain text', 'plain text', 'plain text'],
  ['', '', ''],
  ['\x1b[32;1mgreen\x1b[0;m', 'green', '\x1b[32;1mgreen\x1b[0;m'],
  ['section_start:1560896352:step_script\r\x1b[0K\x1b[36mTitle\x1b[0m', 'Title', '\x1b[36mTitle\x1b[0m'],
  ['section_start:1:a[collapsed=true,x="y"]\r\x1b[0KTitle', 'Title', 'Title'],
  ['section_end:1560896352:step_script\r\x1b[0K', undefined, undefined],
  ['section_end:1:a\r\x1b[0Ksection_start:1:b\r\x1b[0K\x1b[0K', undefined, undefined],
  ['with a windows end\r', 'with a windows end', 'with a windows end'],
  ['10 %\r50 %\r100 %', '100 %', '100 %'],
  [
    'clear\x1b[2Jand title\x1b]0;owned\x07 and\x07 bell\x1bc',
    'clearand title and bell',
    'clearand title and bell',
  ],
  ['tab\tstays', 'tab\tstays', 'tab\tstays'],
]

test.each(cases)('%j is shown as %j', (line, plain, coloured) => {
  expect(readableLine(line, { colour: false })).toBe(plain)
  expect(readableLine(line, { colour: true })).toBe(coloured)
})
