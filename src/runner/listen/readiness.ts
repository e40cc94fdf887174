import type { RegistrationHealth } from '../registrations/registration-view.js'

export interface Readiness {
  ready: boolean
  /** One sentence each. Those of a ready runner concern a part of it. */
  reasons: string[]
}

/** Whether the runner can accept and run a job. At least one registration must be able to. */
export function readinessOf(entries: readonly RegistrationHealth[]): Readiness {
  const judged = entries.map((entry) => ({ entry, problem: problemOf(entry) }))
  const reasons = judged.flatMap(({ entry, problem }) => (problem ? [`"${entry.name}" ${problem}`] : []))
  if (entries.length === 0) return { ready: false, reasons: ['the settings contain no registration'] }
  return { ready: judged.some(({ problem }) => problem === undefined), reasons }
}

function problemOf({ state, restSeconds, engineProblem }: RegistrationHealth): string | undefined {
  switch (state) {
    case 'unhealthy':
      return `was refused by its coordinator and pauses for ${restSeconds} seconds`
    case 'paused':
      return 'is paused'
    case 'draining':
      return 'accepts no more jobs: the runner is stopping'
    case 'removed':
      return 'is no longer in the settings'
    case 'polling':
    case 'full':
      return engineProblem
  }
}
