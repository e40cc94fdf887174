import { CoordinatorClient } from '../client/coordinator-client.js'
import { shortToken } from '../client/short-token.js'
import type { RunnerEntry, RunnerSettings } from '../config/settings.js'
import type { EntryLabels, Recorder } from './recorder.js'

export interface EntryClientOptions {
  entry: RunnerEntry
  settings: Pick<RunnerSettings, 'systemId'>
  recorder: Recorder
  /** A request for a job had to be repeated. */
  onTrouble: () => void
}

/** The client of one entry, with every call counted. */
export function createEntryClient({
  entry,
  settings,
  recorder,
  onTrouble,
}: EntryClientOptions): CoordinatorClient {
  const labels = labelsOf(entry, settings.systemId)
  return new CoordinatorClient(
    {
      url: entry.url,
      token: entry.token,
      systemId: settings.systemId,
      executor: 'docker',
      tls: entry.tls,
      labels: entry.labels ?? {},
    },
    {
      answered: ({ method, path }, status, seconds) =>
        recorder.callAnswered(labels, method, path, status, seconds),
      repeated: ({ method, path }) => {
        recorder.callRepeated(method, path)
        if (path === 'jobs/request') onTrouble()
      },
    },
  )
}

export function labelsOf(entry: Pick<RunnerEntry, 'token' | 'name'>, systemId: string): EntryLabels {
  return { runner: shortToken(entry.token), runner_name: entry.name, system_id: systemId }
}
