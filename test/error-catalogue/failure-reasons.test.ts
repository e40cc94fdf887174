import { expect, test } from 'vitest'

import { JOB_FAILURES, TRIGGER_JOB_FAILURES } from '../../src/error-catalogue/failure-reasons.js'
import { textFiles } from '../docs/text-files.js'

const SETTERS = ['src/coordinator/ci', 'src/runner', 'src/cli']

test('a reason that nothing sets is marked as one of other runners', () => {
  const sources = SETTERS.flatMap((folder) => textFiles(folder, '.ts')).map(({ text }) => text)
  const unset = Object.entries({ ...JOB_FAILURES, ...TRIGGER_JOB_FAILURES })
    .filter(([, entry]) => !('isForeign' in entry))
    .filter(([reason]) => !sources.some((text) => text.includes(`'${reason}'`)))
  expect(unset.map(([reason]) => reason)).toEqual([])
})
