import { useEffect, useRef, useState } from 'preact/hooks'

import { projectApi } from '../../../addresses/first-reads.js'
import type { PipelinePreview } from '../../../coordinator/ci/lint/preview-schema.js'
import { RequestError, requestJson } from '../../api/client.js'
import type { GivenVariable } from './variables-text.js'

/** Milliseconds after the last key. */
const DELAY = 300

export interface PreviewedPipeline {
  ref: string
  source: 'web' | 'schedule'
  inputs: Readonly<Record<string, string>>
  variables: readonly GivenVariable[]
}

export interface Preview {
  preview: PipelinePreview | undefined
  error: RequestError | undefined
  /** The preview is of earlier values. */
  isStale: boolean
}

/** What a pipeline would contain, shortly after the last change. The preview before stays until there is a new one. */
export function usePreview(project: string, pipeline: PreviewedPipeline): Preview {
  const body = JSON.stringify(pipeline)
  const [state, setState] = useState<Omit<Preview, 'isStale'> & { of: string }>()
  const isFirst = useRef(true)
  isFirst.current = state === undefined
  useEffect(() => {
    const abort = new AbortController()
    const timer = setTimeout(
      () => {
        const path = `${projectApi(project)}/pipeline/preview`
        requestJson<PipelinePreview>(path, {
          method: 'POST',
          body: JSON.parse(body) as PreviewedPipeline,
          signal: abort.signal,
        }).then(
          (preview) => setState({ preview, error: undefined, of: body }),
          (error: unknown) => {
            if (abort.signal.aborted) return
            if (!(error instanceof RequestError)) throw error
            setState((before) => ({ preview: before?.preview, error, of: body }))
          },
        )
      },
      isFirst.current ? 0 : DELAY,
    )
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [project, body])
  return { preview: state?.preview, error: state?.error, isStale: state?.of !== body }
}
