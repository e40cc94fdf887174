import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import { isoTimeOrNull } from '../../../http/presenters/present-time.js'
import { isFinished } from '../../engine/job-status.js'
import { missingBytes, type MissingBytesDeps } from '../../engine/missing-bytes.js'
import { findLogFailure } from '../../storage/log-failure.js'
import type { TraceSection } from '../../storage/trace-index/trace-scanner.js'
import type { TraceIndexes } from '../../storage/trace-indexes.js'
import type { TraceOutline, TraceOutlineSection } from './schema.js'
import type { TraceCheck } from './trace-check.js'

/** The size and the sections of a log. */
export async function readOutline(
  { engine, indexes, check }: { engine: MissingBytesDeps; indexes: TraceIndexes; check: TraceCheck },
  job: JobRow,
): Promise<TraceOutline> {
  const isComplete = isFinished(job.status)
  return indexes.withLog(job, { isFinished: isComplete }, async (log) => {
    await check()
    const failure = log && job.status === 'failed' ? await findLogFailure(log) : undefined
    const { bytes, lines, sections } = log?.view ?? { bytes: 0, lines: 0, sections: [] }
    return {
      bytes,
      lines,
      is_complete: isComplete,
      missing_bytes: await missingBytes(engine, job, bytes),
      indexed_to: bytes,
      failing_line: failure?.line ?? null,
      sections: sections.map((section) => presentSection(section, isComplete ? lines : null)),
    }
  })
}

function presentSection(section: TraceSection, lastLine: number | null): TraceOutlineSection {
  const { startedAt, finishedAt } = section
  const options = section.options.split(',')
  const isTimed = startedAt !== null && finishedAt !== null && !options.includes('hide_duration=true')
  return {
    name: section.name,
    title: section.title,
    first_line: section.firstLine,
    last_line: section.lastLine ?? lastLine,
    started_at: isoTimeOrNull(inMilliseconds(startedAt)),
    finished_at: isoTimeOrNull(inMilliseconds(finishedAt)),
    duration: isTimed ? Math.max(0, finishedAt - startedAt) : null,
    collapsed: options.includes('collapsed=true'),
    depth: section.depth,
  }
}

function inMilliseconds(seconds: number | null): number | null {
  return seconds === null ? null : seconds * 1000
}
