import { expect, test } from 'vitest'

import { failedSection } from '../../../../../src/coordinator/ci/storage/trace-index/failed-section.js'
import { TraceScanner } from '../../../../../src/coordinator/ci/storage/trace-index/trace-scanner.js'

const start = (name: string) => `section_start:1:${name}\r\x1b[0K${name}\nprinted\n`
const end = (name: string) => `section_end:2:${name}\r\x1b[0K`

function failedIn(log: string): string | undefined {
  const scanner = new TraceScanner()
  scanner.feed(Buffer.from(log))
  scanner.finish()
  return failedSection(scanner.sections)?.name
}

test.each([
  ['', undefined],
  ['no sections\n', undefined],
  [start('prepare_executor') + end('prepare_executor'), 'prepare_executor'],
  [start('get_sources') + end('get_sources') + start('step_script') + end('step_script'), 'step_script'],
  [start('step_script') + end('step_script') + start('after_script') + end('after_script'), 'step_script'],
  [
    start('step_script') +
      end('step_script') +
      start('upload_artifacts_on_failure') +
      start('cleanup_file_variables'),
    'step_script',
  ],
  [start('step_script') + start('unit') + end('unit') + end('step_script'), 'step_script'],
  [start('step_script') + start('unit') + end('unit') + start('e2e') + end('step_script'), 'e2e'],
  [start('step_script') + start('a') + start('b') + end('step_script'), 'b'],
  [start('get_sources') + start('odd') + end('get_sources') + start('step_script'), 'step_script'],
  [start('step_script'), 'step_script'],
])('of %j, the section that failed is %s', (log, name) => {
  expect(failedIn(log)).toBe(name)
})
