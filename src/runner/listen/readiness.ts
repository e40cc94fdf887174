import type { RegistrationHealth } from '../registrations/registration-view.js'

export interface Readiness {
  ready: boolean
  /** One sentence each; those of a ready runner are about a part of it. */
  reasons: string[]
}

/** Whether the runner would take and run a job: at least one entry must be able to. */
export function readinessOf(entries: readonly RegistrationHealth[]): Readiness {
  const judged = entries.map((entry) => ({ entry, problem: problemOf(entry) }))
  const reasons = judged.flatMap(({ entry, problem }) => (problem ? [`"${entry.name}" ${problem}`] : []))
  if (entries.length === 0) return { ready: false, reasons: ['the settings have no entry'] }
  return { ready: judged.some(({ problem }) => problem === undefined), reasons }
}

function problemOf({ state, restSeconds, engineProblem }: RegistrationHealth): string | undefined {
  switch (state) {
    case 'unhealthy':
      return `was refused by its coordinator and rests for ${restSeconds} seconds`
    case 'paused':
      return 'is paused'
    case 'draining':
      return 'takes no more jobs: the runner stops'
    case 'removed':
      return 'is not in the settings any more'
    case 'polling':
    case 'full':
      return engineProblem
  }
}
