import type { RunnerRegistration } from '../config/settings.js'

interface RegistrationPlan {
  /** Registrations by their key, in the order of the settings. */
  wanted: Map<string, RunnerRegistration>
  /** Keys of entries that run and are not wanted any more. */
  removed: string[]
  /** Registrations that stand in the settings a second time. */
  repeated: RunnerRegistration[]
}

/** An entry is the same one for as long as it is the same runner at the same coordinator. */
export function registrationKey({ url, token }: Pick<RunnerRegistration, 'url' | 'token'>): string {
  return `${url} ${token}`
}

/** What has to be done so that the entries at work are those of the settings. */
export function planRegistrations(
  running: Iterable<string>,
  entries: readonly RunnerRegistration[],
): RegistrationPlan {
  const wanted = new Map<string, RunnerRegistration>()
  const repeated: RunnerRegistration[] = []
  for (const entry of entries) {
    const key = registrationKey(entry)
    if (wanted.has(key)) repeated.push(entry)
    else wanted.set(key, entry)
  }
  return { wanted, removed: [...running].filter((key) => !wanted.has(key)), repeated }
}
