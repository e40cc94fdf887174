import { ApiClient } from './api-client.js'
import type { Display } from './display.js'
import { startSample } from './sample-project.js'
import { reportSample, type SampleReport } from './sample-report.js'
import { type WatchedPipeline, watchPipeline } from './watch-pipeline.js'

export interface SampleRun {
  watched: WatchedPipeline
  report: SampleReport
}

export interface SampleOptions {
  url: string
  /** The administrator's token. */
  token: string
  display: Display
  /** Ends the watching. The pipeline is not affected. */
  signal: AbortSignal
}

/** Starts the sample pipeline, shows its progress until its end, and returns its result. */
export async function runSample(options: SampleOptions): Promise<SampleRun | 'interrupted'> {
  const { url, token, display, signal } = options
  const api = new ApiClient(url, token)
  const { project, pipeline } = await startSample(api, { url, token })
  display.heading(`Pipeline ${pipeline.id} of ${project.path_with_namespace}`)
  const watched = await watchPipeline(api, display, project.id, pipeline.id, signal)
  if (!watched) return 'interrupted'
  return { watched, report: await reportSample(api, project.id, watched) }
}
