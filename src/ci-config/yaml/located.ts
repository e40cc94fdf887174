import { ConfigError, type Problem } from '../errors.js'
import type { ConfigMap } from './config-value.js'
import { locate } from './origins.js'

/** Runs `step` and adds the location in the file to its problems. */
export async function located<T>(root: ConfigMap, step: () => T | Promise<T>): Promise<T> {
  return withProblems(step, (problem) => withLocation(root, problem))
}

/** Runs `step`; if it throws a `ConfigError`, maps its problems. */
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

/** The problem with its location in a file, as far as it has one. */
export function withLocation(root: ConfigMap, problem: Problem): Problem {
  const location = problem.location ?? locate(root, problem.path)
  return location ? { ...problem, location } : problem
}
