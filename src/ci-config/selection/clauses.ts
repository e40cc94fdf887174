import type { Expression } from '../expressions/expression.js'
import { holds, type Operands } from '../expressions/holds.js'
import { PatternWork } from '../expressions/pattern-work.js'
import type { ProjectCommit } from '../sources.js'
import { type Changes, changesHold } from './changes.js'
import { type Exists, existsHolds } from './exists.js'
import type { KnownFiles } from './known-files.js'

/** The conditions of a rule; those that are written must all hold (CI language, 7.2). */
export interface Clauses {
  if?: Expression
  changes?: Changes
  exists?: Exists
}

/** What conditions are looked at with. */
export interface ClauseScope {
  variables: VisibleVariables
  /** One for all rules of a compilation. */
  files: KnownFiles
  /** Where `exists` looks when it names no project; absent = there are no files. */
  commit?: ProjectCommit
}

/** What a rule sees of the variables (CI language, 8.6). */
export interface VisibleVariables {
  /** The value as it was given. */
  get(name: string): string | undefined
  expand(text: string, unknown: 'empty' | 'keep'): string
}

/** The first rule that matches decides; the rest is not looked at (CI language, 7.2). Throws `RuleError`. */
export async function firstMatch<R extends Clauses>(
  rules: readonly R[],
  scope: ClauseScope,
): Promise<R | undefined> {
  for (const rule of rules) {
    if (await clausesHold(rule, scope)) return rule
  }
  return undefined
}

/** Throws `RuleError` when a condition asks for what is not there. Files are asked for only when they decide. */
export async function clausesHold(clauses: Clauses, scope: ClauseScope): Promise<boolean> {
  const { if: expression, changes, exists } = clauses
  if (expression && !holds(expression, operandsOf(scope))) return false
  if (changes && !(await changesHold(expandChanges(changes, scope.variables), scope.files))) return false
  return !exists || existsHolds(expandExists(exists, scope.variables), scope)
}

/** What expressions see: values as they were given. */
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
