import type { Expression } from '../expressions/expression.js'
import { holds, type Operands } from '../expressions/holds.js'
import { PatternWork } from '../expressions/pattern-work.js'
import type { ProjectCommit } from '../sources.js'
import { type Changes, changesHold } from './changes.js'
import { type Exists, existsHolds } from './exists.js'
import type { KnownFiles } from './known-files.js'

/** The conditions of a rule; all that are set must match (CI language, 7.2). */
export interface Clauses {
  if?: Expression
  changes?: Changes
  exists?: Exists
}

/** The facts for evaluating conditions. */
export interface ClauseScope {
  variables: VisibleVariables
  /** One for all rules of a compilation. */
  files: KnownFiles
  /** The commit that `exists` searches if it names no project; absent = no files. */
  commit?: ProjectCommit
}

/** The variables that a rule sees (CI language, 8.6). */
interface VisibleVariables {
  /** The raw value. */
  get(name: string): string | undefined
  expand(text: string, unknown: 'empty' | 'keep'): string
}

/** A rule that was evaluated, for explanations: the condition that does not hold; null if all hold. */
export type EvaluatedRule = keyof Clauses | null

/**
 * The first matching rule decides; the others are not evaluated (CI language, 7.2). Throws `RuleError`.
 * @param evaluated receives the result of each rule that is evaluated
 */
export async function firstMatch<R extends Clauses>(
  rules: readonly R[],
  scope: ClauseScope,
  evaluated: EvaluatedRule[] = [],
): Promise<R | undefined> {
  for (const rule of rules) {
    const failed = await failedClause(rule, scope)
    evaluated.push(failed)
    if (failed === null) return rule
  }
  return undefined
}

export async function clausesHold(clauses: Clauses, scope: ClauseScope): Promise<boolean> {
  return (await failedClause(clauses, scope)) === null
}

/**
 * The first condition that does not hold. Throws `RuleError` if a condition refers to something that does not exist.
 * File lists are read only if they decide the result.
 */
async function failedClause(clauses: Clauses, scope: ClauseScope): Promise<EvaluatedRule> {
  const { if: expression, changes, exists } = clauses
  if (expression && !holds(expression, operandsOf(scope))) return 'if'
  if (changes && !(await changesHold(expandChanges(changes, scope.variables), scope.files))) return 'changes'
  if (exists && !(await existsHolds(expandExists(exists, scope.variables), scope))) return 'exists'
  return null
}

/** The operands of expressions: raw values. */
export function operandsOf({ variables, files }: ClauseScope): Operands {
  return { variable: (name) => variables.get(name), patterns: PatternWork.of(files) }
}

function expandChanges({ paths, compareTo }: Changes, variables: VisibleVariables): Changes {
  return {
    paths: paths.map((path) => variables.expand(path, 'keep')),
    ...(compareTo !== undefined && { compareTo: variables.expand(compareTo, 'keep') }),
  }
}

function expandExists({ paths, project, ref }: Exists, variables: VisibleVariables): Exists {
  return {
    paths: paths.map((path) => variables.expand(path, 'keep')),
    ...(project !== undefined && { project: variables.expand(project, 'keep') }),
    ...(ref !== undefined && { ref: variables.expand(ref, 'keep') }),
  }
}
