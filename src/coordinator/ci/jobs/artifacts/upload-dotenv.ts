import { Readable } from 'node:stream'

import { planLimit } from '../../../database/stores/plan-limit-store.js'
import { inTransaction } from '../../../database/transaction.js'
import { apiError } from '../../../http/errors.js'
import type { EngineDeps } from '../../engine/engine-deps.js'
import { storeDotenvVariables } from '../../engine/job-variable-store.js'
import type { StoreResult } from '../../storage/artifacts/artifacts.js'
import { parseDotenv } from './dotenv.js'
import { readSmallReport } from './small-report.js'

/**
 * Stores the dotenv report of a job. Its entries become variables of the jobs that fetch its artifacts (CI
 * language, 8.5). `store` stores the file itself. A runner that misses the response retries, and the variables
 * are written again. Throws 400 with the reason for a malformed report, and stores nothing of it.
 */
export async function uploadDotenv(
  { database, secrets }: Pick<EngineDeps, 'database' | 'secrets'>,
  jobId: number,
  body: Readable,
  store: (content: Readable) => Promise<StoreResult>,
): Promise<StoreResult> {
  const most = await planLimit(database, 'dotenv_size')
  const tooBig = `Dotenv Artifact Too Big. Maximum Allowable Size: ${most}`
  if (most === 0) throw apiError('report_invalid', { reason: tooBig })
  const { packed, files } = await readSmallReport(body, most - 1, tooBig)
  const dotenv = parseDotenv(files, await planLimit(database, 'dotenv_variables'))
  if (dotenv.kind === 'invalid') throw apiError('report_invalid', { reason: dotenv.problem })
  const result = await store(Readable.from([packed]))
  if (result.kind === 'different') return result
  await inTransaction(database, (tx) =>
    storeDotenvVariables(
      tx,
      jobId,
      dotenv.variables.map(({ key, value }) => ({ key, value_encrypted: secrets.encrypt(value) })),
    ),
  )
  return result
}
