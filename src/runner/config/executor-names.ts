/** The executors that this runner has. */
const EXECUTORS = ['docker', 'docker-hosts', 'docker-autoscaler', 'kubernetes'] as const
export type ExecutorName = (typeof EXECUTORS)[number]

export function isExecutorName(text: string): text is ExecutorName {
  return EXECUTORS.some((name) => name === text)
}

/** For messages: `the executors "docker" and "docker-hosts"`. */
export function listExecutors(): string {
  const names = EXECUTORS.map((name) => `"${name}"`)
  return `the executors ${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
