import { join } from 'node:path'

import { inspect } from '../../../ci-config/compile.js'
import { DEFAULT_CONFIG_PATH } from '../../../ci-config/include/find-config.js'
import type { CompileResult, Plan } from '../../../ci-config/plan.js'
import { EXIT_CODES } from '../../../error-catalogue/exit-codes.js'
import { formatLocation, showProblem, showWarning } from '../../show-problem.js'
import {
  contextOf,
  type EventOptions,
  type LocalFacts,
  localFacts,
} from '../../working-directory/local-event.js'
import { LocalSources } from '../../working-directory/local-sources.js'
import type { OutsideFiles } from '../../working-directory/outside/outside-files.js'
import { readConfigFile } from '../../working-directory/read-config-file.js'
import type { WorkingDirectory } from '../../working-directory/working-directory.js'

export interface CompiledDirectory {
  facts: LocalFacts
  plan: Plan
}

/** Undefined if there is no pipeline. `exitCode` then shows whether that is an error. */
export type CompiledPlan = CompiledDirectory | { plan: undefined; exitCode: number }

/** Compiles the CI file of the working directory, and prints its problems and warnings to standard error. */
export async function compilePlan(
  directory: WorkingDirectory,
  outside: OutsideFiles,
  options: Omit<EventOptions, 'configPath'>,
  file = join(directory.root, DEFAULT_CONFIG_PATH),
): Promise<CompiledPlan> {
  const sources = new LocalSources(directory, outside)
  const { path, text } = await readConfigFile(directory, sources, file)
  const event = { ...options, configPath: path }
  // Includes may name the server; jobs get no address that they could call with what they believe to be their token.
  const facts = await localFacts(directory, { ...event, serverUrl: undefined })
  const context = contextOf(await localFacts(directory, event), event)
  const { result } = await inspect(text, sources, context)
  if (result.kind === 'plan') {
    printWarnings(result.plan.warnings, path)
    return { facts, plan: result.plan }
  }
  return { plan: undefined, exitCode: printWhyNone(result, path, sources) }
}

const colour = (): boolean => process.stderr.isTTY && process.env['NO_COLOR'] === undefined

function printWarnings(warnings: readonly string[], path: string): void {
  for (const warning of warnings) console.error(showWarning(warning, path, { colour: colour() }))
}

function printWhyNone(
  result: Exclude<CompileResult, { kind: 'plan' }>,
  path: string,
  { texts }: LocalSources,
): number {
  if (result.kind !== 'invalid') {
    console.error(`${path} gives no pipeline for this event: ${result.message}`)
    return 0
  }
  const readText = (name: string) => texts.get(name.replace(/^\/+/, ''))
  for (const problem of result.problems) {
    for (const line of showProblem(problem, path, { colour: colour(), readText })) console.error(line)
  }
  for (const hint of result.hints) printWarnings([hint.message], formatLocation(hint, path))
  return EXIT_CODES.failed.code
}
