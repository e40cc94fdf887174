import type { RunnerRegistration } from '../config/settings.js'

interface RegistrationPlan {
  /** Registrations by key, in the order of the settings. */
  wanted: Map<string, RunnerRegistration>
  /** Keys of running registrations that are no longer in the settings. */
  removed: string[]
  /** Registrations that appear in the settings a second time. */
  repeated: RunnerRegistration[]
}

/** Identifies a registration: the same runner at the same coordinator. */
export function registrationKey({ url, token }: Pick<RunnerRegistration, 'url' | 'token'>): string {
  return `${url} ${token}`
}

/** Compares the running registrations with the settings and plans the changes. */
export function planRegistrations(
  running: Iterable<string>,
  registrations: readonly RunnerRegistration[],
): RegistrationPlan {
  const wanted = new Map<string, RunnerRegistration>()
  const repeated: RunnerRegistration[] = []
  for (const registration of registrations) {
    const key = registrationKey(registration)
    if (wanted.has(key)) repeated.push(registration)
    else wanted.set(key, registration)
  }
  return { wanted, removed: [...running].filter((key) => !wanted.has(key)), repeated }
}
