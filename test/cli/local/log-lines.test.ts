import { expect, test } from 'vitest'

import { LogLines } from '../../../src/cli/commands/local/log-lines.js'

const LOG = [
  '\x1b[0KRunning with a runner\x1b[0;m',
  'section_start:1:get_sources\r\x1b[0K\x1b[0K\x1b[36;1mGetting source\x1b[0;m\x1b[0;m',
  'Fetching',
  '\x1b[0;33mWARNING: slow\x1b[0;m',
  'section_end:1:get_sources\r\x1b[0Ksection_start:1:step_script\r\x1b[0KExecuting',
  '\x1b[32;1m$ make\x1b[0;m',
  'mädchen',
  'section_end:2:step_script\r\x1b[0Ksection_start:1:after_script\r\x1b[0KRunning after_script',
  'after',
  'section_end:2:after_script\r\x1b[0K\x1b[32;1mJob succeeded\x1b[0;m',
  '',
].join('\n')

function shown(log: string, verbose = false, pieces = 1): string[] {
  const lines = new LogLines({ colour: false, verbose })
  const bytes = Buffer.from(log)
  const cuts = Array.from({ length: pieces }, (_, index) => Math.floor((bytes.length * index) / pieces))
  const parts = cuts.map((from, index) => bytes.subarray(from, cuts[index + 1] ?? bytes.length))
  return [...parts.flatMap((part) => lines.push(part)), ...lines.end()]
}

test('script output and warnings are shown', () => {
  expect(shown(LOG)).toEqual(['WARNING: slow', '$ make', 'mädchen', 'after'])
})

test('a log may arrive in chunks of any size', () => {
  expect(shown(LOG, false, Buffer.byteLength(LOG))).toEqual(shown(LOG))
})

test('everything is shown on request, except markers for programs', () => {
  expect(shown(LOG, true)).toEqual([
    'Running with a runner',
    'Getting source',
    'Fetching',
    'WARNING: slow',
    'Executing',
    '$ make',
    'mädchen',
    'Running after_script',
    'after',
    'Job succeeded',
  ])
})

test('an error is shown with its causes', () => {
  const log = 'section_start:1:get_sources\r\x1b[0KGetting source\nfatal: no such ref\nERROR: exit code 128\n'
  expect(shown(log)).toEqual(['Getting source', 'fatal: no such ref', 'ERROR: exit code 128'])
})

test('the status of a job is not repeated', () => {
  const log =
    'section_end:1:cleanup_file_variables\r\x1b[0K\x1b[31;1mERROR: Job failed: exit code 3\x1b[0;m\n'
  expect(shown(log)).toEqual([])
  expect(shown(log.replace('exit code 3', 'no such image'))).toEqual(['ERROR: Job failed: no such image'])
})

test('the last output of a script needs no line end, and scripts may print sections', () => {
  const log =
    'section_start:1:step_script\r\x1b[0Ktitle\nsection_start:2:mine[collapsed=true]\r\x1b[0KMine\ninside\n' +
    'section_end:2:mine\r\x1b[0K\nno end' +
    'section_end:3:step_script\r\x1b[0Ksection_start:3:archive_cache\r\x1b[0KSaving\nsaved\n'
  expect(shown(log)).toEqual(['Mine', 'inside', 'no end'])
})

test('a last line needs no line end', () => {
  expect(shown('section_start:1:step_script\r\x1b[0Ktitle\nno end')).toEqual(['no end'])
})

test('a line without an end is shown before it fills the memory', () => {
  const lines = new LogLines({ colour: false, verbose: true })
  expect(lines.push(Buffer.alloc(100 * 1024, 'x'))).toEqual(['x'.repeat(100 * 1024)])
})
