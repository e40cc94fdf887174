import { posix } from 'node:path'

import { parseSync, Visitor } from 'rolldown/utils'

import type { Rule } from '../../../scripts/lint/rule.mjs'

/**
 * Runs a rule of the linter in this process.
 * @param file from the root of the repository; it need not exist
 * @returns the reason of each report
 */
export function reportsOf(rule: Rule, file: string, source: string): string[] {
  const { program, errors } = parseSync(file, source)
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`)
  const reasons: string[] = []
  const context = {
    cwd: posix.resolve('.'),
    filename: posix.resolve(file),
    report: ({ data }: { data: { reason: string } }) => reasons.push(data.reason),
  }
  new Visitor(rule.create(context)).visit(program)
  return reasons
}
