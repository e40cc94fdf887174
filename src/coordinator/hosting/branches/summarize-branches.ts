import { unlessDamaged } from '../../../git/errors.js'
import { isRefName } from '../../../git/names.js'
import { may } from '../../access/access.js'
import { findLatestPipeline } from '../../ci/pipelines/store.js'
import { presentPipelineBrief } from '../../http/presenters/present-pipeline.js'
import { type Divergence, divergences } from '../repositories/browse/divergence.js'
import type { Reading } from '../repositories/browse/reading.js'
import { logsDamage } from '../repositories/log-damage.js'
import { commitOfRef } from '../repositories/revisions.js'
import type { BranchDeps, BranchViewer } from './list-branches.js'
import type { BranchSummary } from './schema.js'

type Caller = BranchViewer & Parameters<typeof may>[1]

const MAX_CACHED = 20_000

/** Counts by both commits, which never change; the oldest ones are removed first. */
export class DivergenceCache {
  private readonly counts = new Map<string, Divergence>()

  get(base: string, tip: string): Divergence | undefined {
    return this.counts.get(base + tip)
  }

  set(base: string, tip: string, counts: Divergence): void {
    this.counts.set(base + tip, counts)
    const [oldest] = this.counts.keys()
    if (this.counts.size > MAX_CACHED && oldest !== undefined) this.counts.delete(oldest)
  }
}

/**
 * The facts that lists show about branches in addition to their commits: the distance from the default branch, and the
 * latest pipeline. Branches that do not exist, or whose commits cannot be read, are left out.
 */
export async function summarizeBranches(
  { pushes, externalUrl }: BranchDeps,
  call: Caller,
  reading: Reading,
  { branches, cache }: { branches: readonly string[]; cache: DivergenceCache },
): Promise<BranchSummary[]> {
  const { project } = call
  const { database, repositories } = pushes
  const onDamage = logsDamage(pushes, project)
  const tips = new Map<string, string>()
  for (const name of new Set(branches.filter(isRefName))) {
    const sha = await unlessDamaged(commitOfRef(repositories, project, 'branch', name), onDamage)
    if (sha !== undefined) tips.set(name, sha)
  }
  const base =
    project.default_branch === null
      ? undefined
      : await unlessDamaged(commitOfRef(repositories, project, 'branch', project.default_branch), onDamage)
  if (base !== undefined) await unlessDamaged(count(reading, base, [...tips.values()], cache), onDamage)
  const showsPipelines = may('read_pipelines', call)
  return Promise.all(
    [...tips].map(async ([name, sha]): Promise<BranchSummary> => {
      const counts = base === undefined ? undefined : cache.get(base, sha)
      const pipeline = showsPipelines
        ? await findLatestPipeline(database, project.id, { ref: name, tag: false })
        : undefined
      return {
        name,
        ahead: counts?.ahead ?? null,
        behind: counts?.behind ?? null,
        pipeline: pipeline ? presentPipelineBrief(pipeline, `${externalUrl}/${project.full_path}`) : null,
      }
    }),
  )
}

async function count(
  reading: Reading,
  base: string,
  tips: readonly string[],
  cache: DivergenceCache,
): Promise<void> {
  const missing = tips.filter((tip) => cache.get(base, tip) === undefined)
  if (missing.length === 0) return
  const found = await divergences(reading, base, missing)
  for (const [tip, counts] of found ?? []) cache.set(base, tip, counts)
}
