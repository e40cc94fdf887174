import { RE2JS } from 're2js'

import { parseRegexLiteral } from '../../../../ci-config/expressions/regex-literal.js'
import type { Database } from '../../../database/connect.js'
import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import type { Traces } from '../../storage/traces.js'
import { findProject } from '../pipeline-store.js'
import { coverageInLog } from './coverage-in-log.js'

/**
 * What the job's `coverage`, or else the expression of its project, finds in its log: in the last line that has it (CI
 * language, 17.1). Undefined when there is no such expression, or no line has it among the last ones that there is time to
 * look at.
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

/** It is checked where it is set. */
async function regexOfProject(database: Database, projectId: number): Promise<RE2JS | undefined> {
  const { build_coverage_regex: pattern } = await findProject(database, projectId)
  return pattern ? RE2JS.compile(pattern) : undefined
}

async function traceFile(traces: Traces, job: JobRow) {
  return {
    size: await traces.size(job),
    read: async (start: number, end: number) => {
      const pieces: Buffer[] = []
      const body = await traces.read(job, { start, end: end - 1 })
      for await (const piece of body as AsyncIterable<Buffer>) pieces.push(piece)
      return Buffer.concat(pieces)
    },
  }
}
