import { Readable } from 'node:stream'

import { apiError } from '../../../http/errors.js'
import type { StoreResult } from '../../storage/artifacts/artifacts.js'
import { MAX_ANNOTATIONS_BYTES, problemOfAnnotations } from './annotations.js'
import { readSmallReport } from './small-report.js'

const TOO_BIG = `Annotations Artifact Too Big. Maximum Allowable Size: ${MAX_ANNOTATIONS_BYTES}`

/**
 * Stores the annotations report of a job. Throws 400 with the reason for a report that contains anything but
 * links.
 */
export async function uploadAnnotations(
  body: Readable,
  store: (content: Readable) => Promise<StoreResult>,
): Promise<StoreResult> {
  const { packed, files } = await readSmallReport(body, MAX_ANNOTATIONS_BYTES, TOO_BIG)
  const problem = problemOfAnnotations(files)
  if (problem !== undefined) throw apiError('report_invalid', { reason: problem })
  return store(Readable.from([packed]))
}
