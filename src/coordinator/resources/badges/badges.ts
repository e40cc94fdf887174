import type { Database } from '../../database/connect.js'
import { coverageOfPipeline } from '../../engine/reports/coverage-store.js'
import type { Project } from '../../http/operation.js'
import type { BadgeAddress } from './badge-address.js'
import { coverageLimitsOf, looksOf } from './badge-looks.js'
import { badgeSvg } from './badge-svg.js'
import { type BadgeValue, coverageValue, pipelineValue } from './badge-value.js'
import { findCoverageOfJob, findNewestPipeline } from './store.js'

/** The picture that an address stands for (CI language, 17.4). */
export async function badgeOf(database: Database, project: Project, address: BadgeAddress): Promise<string> {
  const value = await valueOf(database, project, address)
  return badgeSvg(address.kind, value, looksOf(address.query))
}

function valueOf(database: Database, project: Project, address: BadgeAddress): Promise<BadgeValue> {
  switch (address.kind) {
    case 'pipeline':
      return valueOfPipeline(database, project, address)
    case 'coverage':
      return valueOfCoverage(database, project, address)
  }
}

async function valueOfPipeline(
  database: Database,
  project: Project,
  { ref, query }: BadgeAddress,
): Promise<BadgeValue> {
  const ignoreSkipped = query.get('ignore_skipped') === 'true'
  const pipeline = await findNewestPipeline(database, { projectId: project.id, ref, ignoreSkipped })
  return pipelineValue(pipeline?.status)
}

async function valueOfCoverage(
  database: Database,
  project: Project,
  { ref, query }: BadgeAddress,
): Promise<BadgeValue> {
  const pipeline = await findNewestPipeline(database, { projectId: project.id, ref, status: 'success' })
  const job = query.get('job')
  const coverage = pipeline
    ? await (job ? findCoverageOfJob(database, pipeline.id, job) : coverageOfPipeline(database, pipeline.id))
    : null
  return coverageValue(coverage, coverageLimitsOf(query))
}
