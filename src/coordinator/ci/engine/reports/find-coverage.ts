import { RE2JS } from 're2js'

import { parseRegexLiteral } from '../../../../ci-config/expressions/regex-literal.js'
import type { Database } from '../../../database/connect.js'
import { keyedRead } from '../../../database/keyed-read.js'
import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import type { Traces } from '../../storage/traces.js'
import { coverageInLog } from './coverage-in-log.js'

/**
 * The coverage from the last matching line of the job's log, with the expression of the job or else of its
 * project (CI language, 17.1). Undefined without an expression, or if none of the last lines that can be
 * searched in time matches.
 */
export async function findCoverage(
  database: Database,
  traces: Traces,
  job: JobRow,
): Promise<number | undefined> {
  const { coverage } = job.options
  const regex =
    coverage === undefined ? await regexOfProject(database, job.project_id) : parseRegexLiteral(coverage)
  if (!regex || regex === 'invalid') return undefined
  return coverageInLog(regex, await traceFile(traces, job))
}

/** The expression was validated when it was set. */
async function regexOfProject(database: Database, projectId: number): Promise<RE2JS | undefined> {
  const pattern = (await coverageOfProject(database, projectId))?.build_coverage_regex
  return pattern ? RE2JS.compile(pattern) : undefined
}

const coverageOfProject = keyedRead('id', (database) =>
  database.selectFrom('project').select(['id', 'build_coverage_regex']),
)

async function traceFile(traces: Traces, job: JobRow) {
  return {
    size: await traces.growingSize(job),
    read: async (start: number, end: number) => {
      const pieces: Buffer[] = []
      const body = await traces.read(job, { start, end: end - 1 })
      for await (const piece of body as AsyncIterable<Buffer>) pieces.push(piece)
      return Buffer.concat(pieces)
    },
  }
}
