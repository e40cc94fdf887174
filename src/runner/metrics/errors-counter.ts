import { Counter, type Registry } from 'prom-client'

/** Counts lines of the daemon's own log, from level warning upwards (runner protocol, 9.7). */
export function countLogLines(registry: Registry): (level: string) => void {
  const lines = new Counter({
    name: 'gitlab_runner_errors_total',
    help: 'Log lines by level',
    labelNames: ['level'] as const,
    registers: [registry],
  })
  return (level) => {
    if (level === 'warn') lines.inc({ level: 'warning' })
    else if (level === 'error' || level === 'fatal') lines.inc({ level })
  }
}
