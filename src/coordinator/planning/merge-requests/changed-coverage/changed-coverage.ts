import { findVersion } from '../../../ci/engine/merge-request-store.js'
import type { LineHits } from '../../../ci/engine/reports/line-coverage/covered-lines.js'
import { LineCoverageError } from '../../../ci/engine/reports/line-coverage/line-coverage-error.js'
import { readLineCoverage } from '../../../ci/engine/reports/line-coverage/read-line-coverage.js'
import { ReportPaths } from '../../../ci/engine/reports/line-coverage/report-paths.js'
import type { Artifact, Artifacts } from '../../../ci/storage/artifacts/artifacts.js'
import type { Database } from '../../../database/connect.js'
import type { PipelineRow } from '../../../database/tables/pipeline-rows.js'
import type { Repositories } from '../../../hosting/repositories/repositories.js'
import type { MergeRequestRow } from '../../stores/merge-request-store.js'
import type { Coverage } from './schema.js'

export interface CoverageDeps {
  database: Database
  repositories: Pick<Repositories, 'changedFiles' | 'listFiles'>
  artifacts: Pick<Artifacts, 'ofPipeline' | 'open'>
}

/** Merge requests whose coverage is kept. */
const MAX_KEPT = 20
/** Reports of one pipeline that are read. */
const MAX_REPORTS = 50

interface Kept {
  /** The commits and the reports that it was made of. */
  key: string
  coverage: Promise<Coverage>
}

/** The coverage of the changed files of merge requests. What was read last is kept: reports do not change. */
export class ChangedCoverage {
  /** By the ID of the merge request, the latest use last. */
  private readonly kept = new Map<number, Kept>()

  constructor(private readonly deps: CoverageDeps) {}

  /** @param pipeline the head pipeline of the merge request */
  async ofPipeline(
    row: Pick<MergeRequestRow, 'id' | 'project_id'>,
    pipeline: Pick<PipelineRow, 'id' | 'sha'>,
  ): Promise<Coverage> {
    const { artifacts, database } = this.deps
    const all = await artifacts.ofPipeline(pipeline.id, ['cobertura', 'jacoco'])
    const reports = all.slice(0, MAX_REPORTS)
    const version = reports.length > 0 ? await findVersion(database, row.id, pipeline.sha) : undefined
    if (!version) return { files: {}, errors: [] }
    const key = [version.base_sha, pipeline.sha, ...reports.map(({ id }) => id)].join(' ')
    const known = this.kept.get(row.id)
    const kept =
      known?.key === key
        ? known
        : { key, coverage: this.read(row, { base: version.base_sha, head: pipeline.sha }, reports) }
    this.keep(row.id, kept)
    return kept.coverage
  }

  private keep(id: number, kept: Kept): void {
    this.kept.delete(id)
    this.kept.set(id, kept)
    const [oldest] = this.kept.keys()
    if (this.kept.size > MAX_KEPT && oldest !== undefined) this.kept.delete(oldest)
    kept.coverage.catch(() => {
      // A failed read is tried again.
      if (this.kept.get(id) === kept) this.kept.delete(id)
    })
  }

  private async read(
    { project_id }: Pick<MergeRequestRow, 'project_id'>,
    heads: { base: string; head: string },
    reports: readonly Artifact[],
  ): Promise<Coverage> {
    const { repositories, artifacts } = this.deps
    const files = new Set(await repositories.changedFiles(project_id, heads.base, heads.head))
    const paths = new ReportPaths(await repositories.listFiles(project_id, heads.head))
    const found = new Map<string, LineHits>()
    const errors: string[] = []
    for (const report of reports) {
      try {
        addHits(found, await readLineCoverage(await artifacts.open(report), { paths, files }))
      } catch (error) {
        if (!(error instanceof LineCoverageError)) throw error
        errors.push(error.message)
      }
    }
    return {
      files: Object.fromEntries([...found].map(([path, lines]) => [path, Object.fromEntries(lines)])),
      errors,
    }
  }
}

/** The highest number of several jobs counts: each of them may run only a part of the tests. */
function addHits(sum: Map<string, LineHits>, more: ReadonlyMap<string, LineHits>): void {
  for (const [path, hits] of more) {
    const lines = sum.get(path) ?? new Map<number, number>()
    for (const [line, count] of hits) lines.set(line, Math.max(count, lines.get(line) ?? 0))
    sum.set(path, lines)
  }
}
