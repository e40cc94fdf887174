import type { Project } from '../../access/caller.js'
import { coverageOfPipeline } from '../engine/reports/coverage-store.js'
import { resolveStoredRef, type StoredRefDeps } from '../engine/stored-ref.js'
import type { BadgeAddress } from './badge-address.js'
import { coverageLimitsOf, looksOf } from './badge-looks.js'
import { badgeSvg } from './badge-svg.js'
import { type BadgeValue, coverageValue, pipelineValue, releaseValue } from './badge-value.js'
import { findCoverageOfJob, findLatestTag, findNewestPipeline } from './store.js'

type AddressOfRef = Extract<BadgeAddress, { ref: string }>

const KEYS = { pipeline: 'pipeline', coverage: 'coverage', release: 'latest release' }

/** Returns the badge for a URL (CI language, 17.4). */
export async function badgeOf(deps: StoredRefDeps, project: Project, address: BadgeAddress): Promise<string> {
  const value = await valueOf(deps, project, address)
  return badgeSvg(KEYS[address.kind], value, looksOf(address.query))
}

async function valueOf(deps: StoredRefDeps, project: Project, address: BadgeAddress): Promise<BadgeValue> {
  switch (address.kind) {
    case 'pipeline':
      return valueOfPipeline(deps, project, address)
    case 'coverage':
      return valueOfCoverage(deps, project, address)
    case 'release':
      return releaseValue(await findLatestTag(deps.database, project.id, Date.now()))
  }
}

async function valueOfPipeline(
  deps: StoredRefDeps,
  project: Project,
  { ref, query }: AddressOfRef,
): Promise<BadgeValue> {
  const on = await resolveStoredRef(deps, project.id, ref)
  const ignoreSkipped = query.get('ignore_skipped') === 'true'
  const pipeline = await findNewestPipeline(deps.database, {
    projectId: project.id,
    on,
    ignoreSkipped,
  })
  return pipelineValue(pipeline?.status)
}

async function valueOfCoverage(
  deps: StoredRefDeps,
  project: Project,
  { ref, query }: AddressOfRef,
): Promise<BadgeValue> {
  const { database } = deps
  const on = await resolveStoredRef(deps, project.id, ref)
  const pipeline = await findNewestPipeline(database, { projectId: project.id, on, status: 'success' })
  const job = query.get('job')
  const coverage = pipeline
    ? await (job ? findCoverageOfJob(database, pipeline.id, job) : coverageOfPipeline(database, pipeline.id))
    : null
  return coverageValue(coverage, coverageLimitsOf(query))
}
