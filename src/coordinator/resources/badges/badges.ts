import type { Database } from '../../database/connect.js'
import { coverageOfPipeline } from '../../engine/reports/coverage-store.js'
import type { Project } from '../../http/operation.js'
import type { BadgeAddress } from './badge-address.js'
import { coverageLimitsOf, looksOf } from './badge-looks.js'
import { badgeSvg } from './badge-svg.js'
import { type BadgeValue, coverageValue, pipelineValue, releaseValue } from './badge-value.js'
import { findCoverageOfJob, findLatestTag, findNewestPipeline } from './store.js'

type AddressOfRef = Extract<BadgeAddress, { ref: string }>

const KEYS = { pipeline: 'pipeline', coverage: 'coverage', release: 'latest release' }

/** The picture that an address stands for (CI language, 17.4). */
export async function badgeOf(database: Database, project: Project, address: BadgeAddress): Promise<string> {
  const value = await valueOf(database, project, address)
  return badgeSvg(KEYS[address.kind], value, looksOf(address.query))
}

async function valueOf(database: Database, project: Project, address: BadgeAddress): Promise<BadgeValue> {
  switch (address.kind) {
    case 'pipeline':
      return valueOfPipeline(database, project, address)
    case 'coverage':
      return valueOfCoverage(database, project, address)
    case 'release':
      return releaseValue(await findLatestTag(database, project.id, Date.now()))
  }
}

async function valueOfPipeline(
  database: Database,
  project: Project,
  { ref, query }: AddressOfRef,
): Promise<BadgeValue> {
  const ignoreSkipped = query.get('ignore_skipped') === 'true'
  const pipeline = await findNewestPipeline(database, { projectId: project.id, ref, ignoreSkipped })
  return pipelineValue(pipeline?.status)
}

async function valueOfCoverage(
  database: Database,
  project: Project,
  { ref, query }: AddressOfRef,
): Promise<BadgeValue> {
  const pipeline = await findNewestPipeline(database, { projectId: project.id, ref, status: 'success' })
  const job = query.get('job')
  const coverage = pipeline
    ? await (job ? findCoverageOfJob(database, pipeline.id, job) : coverageOfPipeline(database, pipeline.id))
    : null
  return coverageValue(coverage, coverageLimitsOf(query))
}
