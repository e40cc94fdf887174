import type { Readable } from 'node:stream'

import type { TestCase } from '../../../storage/artifacts/test-reports.js'
import { reportText } from '../report-text.js'
import { JunitError } from './junit-error.js'
import { junitLimits } from './junit-limits.js'
import { parseJunit } from './parse-junit.js'

/**
 * Reads the cases of a compressed report, whose files are compressed individually or together. Throws
 * `JunitError`.
 */
export function readJunit(packed: Readable): AsyncGenerator<TestCase> {
  const refuse = (reason: string, options?: ErrorOptions) =>
    new JunitError(`JUnit data parsing failed: ${reason}`, options)
  return parseJunit(reportText(packed, junitLimits.bytes, refuse))
}
