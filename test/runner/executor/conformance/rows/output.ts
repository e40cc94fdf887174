import { createHash } from 'node:crypto'

import { expect } from 'vitest'

import { type Row, script } from '../row.js'

const NUMBERS = Array.from({ length: 1000 }, (_, index) => index).join('\n')
const LINE = '0123456789abcde\n'
const LINES = 3_125_000

export const OUTPUT_ROWS: readonly Row[] = [
  {
    behaviour: 'both output streams are in the log, in the order of printing',
    jobs: [
      {
        steps: [script('i=0; while [ $i -lt 1000 ]; do echo $i; i=$((i+1)); echo $i >&2; i=$((i+1)); done')],
        expected: { state: 'success', log: [`\n${NUMBERS}\n`] },
      },
    ],
  },
  {
    behaviour: 'output without an end of line, with NUL bytes and with invalid UTF-8 is kept',
    jobs: [
      {
        steps: [script(String.raw`printf 'a\000b \303\050 c\r\nend'`)],
        expected: { state: 'success', log: ['a\0b \uFFFD( c\r\nend'] },
      },
    ],
  },
  {
    behaviour: 'masked values are hidden, also when they are printed in pieces',
    jobs: [
      {
        variables: [{ key: 'SECRET', value: 'a-masked-value', masked: true }],
        steps: [script('echo "whole: $SECRET."', 'printf "pieces: a-mas"; sleep 1; printf "ked-value.\\n"')],
        expected: {
          state: 'success',
          log: ['whole: [MASKED].', 'pieces: [MASKED].'],
          notInLog: ['a-masked-value'],
        },
      },
    ],
  },
  {
    behaviour: 'no byte of a log of 50 MB is lost',
    runner: { output_limit: 60_000 },
    jobs: [
      {
        steps: [script(`echo begin; yes ${LINE.trim()} | head -n ${LINES} || true; echo end`)],
        expected: {
          state: 'success',
          also: ({ log }) => {
            const text = log.slice(log.indexOf('\nbegin\n') + '\nbegin\n'.length, log.lastIndexOf('end\n'))
            const digest = (data: string) => createHash('sha256').update(data).digest('hex')
            expect([text.length, digest(text)]).toEqual([LINE.length * LINES, digest(LINE.repeat(LINES))])
          },
        },
      },
    ],
  },
  {
    behaviour: 'a longer log than the limit is cut, its end follows, and the job continues',
    runner: { output_limit: 256 },
    jobs: [
      {
        steps: [script('yes 0123456789abcde | head -n 200000 || true', 'echo the end')],
        expected: { state: 'success', log: ['exceeded limit', '\nthe end\n'] },
      },
    ],
  },
]
