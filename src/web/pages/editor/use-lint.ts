import { useEffect, useRef, useState } from 'preact/hooks'

import { queryOf } from '../../../addresses/address-of.js'
import { projectApi } from '../../../addresses/first-reads.js'
import type { DryRunSource, LintReport } from '../../../coordinator/ci/lint/schema.js'
import { RequestError, requestJson } from '../../api/client.js'

/** Milliseconds after the last key until a text is checked. */
const DELAY = 250
const DELAY_OF_LARGE = 1000
/** In characters. */
const LARGE = 200_000

export interface LintEvent {
  /** Branch or tag; undefined in an empty repository, which has no event. */
  ref: string | undefined
  source: DryRunSource
}

interface Checked {
  report: LintReport | undefined
  error: RequestError | undefined
  /** The report is about an earlier text or event. */
  isStale: boolean
}

interface Wanted {
  /** The text to check; undefined checks the committed file. */
  content: string | undefined
  event: LintEvent
  /** Without it, nothing is checked. */
  isEnabled: boolean
}

/** Checks a CI file for an event shortly after its last change. The report before stays until there is a new one. */
export function useLint(project: string, { content, event: { ref, source }, isEnabled }: Wanted): Checked {
  const wanted = JSON.stringify([content, ref, source])
  const [checked, setChecked] = useState<Omit<Checked, 'isStale'> & { of: string }>()
  const isFirst = useRef(true)
  isFirst.current = checked === undefined
  useEffect(() => {
    if (!isEnabled) return undefined
    const abort = new AbortController()
    const delay = isFirst.current ? 0 : (content?.length ?? 0) > LARGE ? DELAY_OF_LARGE : DELAY
    const timer = setTimeout(() => {
      lint(project, content, { ref, source }, abort.signal).then(
        (report) => setChecked({ report, error: undefined, of: wanted }),
        (error: unknown) => {
          if (abort.signal.aborted) return
          if (!(error instanceof RequestError)) throw error
          setChecked((before) => ({ report: before?.report, error, of: wanted }))
        },
      )
    }, delay)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [project, content, ref, source, wanted, isEnabled])
  return { report: checked?.report, error: checked?.error, isStale: isEnabled && checked?.of !== wanted }
}

function lint(
  project: string,
  content: string | undefined,
  { ref, source }: LintEvent,
  signal: AbortSignal,
): Promise<LintReport> {
  const path = `${projectApi(project)}/ci/lint`
  const dryRun = ref !== undefined
  const wanted = { dry_run: dryRun, include_jobs: true, ...(dryRun && { explain: true, source }) }
  if (content === undefined) {
    return requestJson(`${path}${queryOf({ ...wanted, content_ref: ref, dry_run_ref: ref })}`, { signal })
  }
  return requestJson(path, { method: 'POST', body: { content, ...wanted, ...(dryRun && { ref }) }, signal })
}
