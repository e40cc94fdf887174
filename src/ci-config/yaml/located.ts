import { ConfigError, type Problem } from '../errors.js'
import type { ConfigMap } from './config-value.js'
import { locate } from './origins.js'

/** What `step` finds wrong in a file is pointed at where it was written. */
export async function located<T>(root: ConfigMap, step: () => T | Promise<T>): Promise<T> {
  return withProblems(step, (problem) => pointAt(root, problem))
}

/** Does `step`; a `ConfigError` of it goes on with its problems changed. */
export async function withProblems<T>(
  step: () => T | Promise<T>,
  change: (problem: Problem) => Problem,
): Promise<T> {
  try {
    return await step()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    throw new ConfigError(error.problems.map(change))
  }
}

function pointAt(root: ConfigMap, problem: Problem): Problem {
  const location = problem.location ?? locate(root, problem.path)
  return location ? { ...problem, location } : problem
}
