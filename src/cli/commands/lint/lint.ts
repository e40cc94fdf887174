import { text as textOfStream } from 'node:stream/consumers'

import { inspect, type Inspection } from '../../../ci-config/compile.js'
import type { CompileResult } from '../../../ci-config/plan.js'
import { printYaml } from '../../../ci-config/yaml/print-yaml.js'
import { EXIT_CODES } from '../../../error-catalogue/exit-codes.js'
import { formatLocation, showProblem, showWarning } from '../../show-problem.js'
import { localEvent } from '../../working-directory/local-event.js'
import { LocalSources } from '../../working-directory/local-sources.js'
import { openOutside, type Outside, type OutsideFlags } from '../../working-directory/outside/open-outside.js'
import { settingsFromServer } from '../../working-directory/outside/settings-from-server.js'
import { readConfigFile } from '../../working-directory/read-config-file.js'
import { openWorkingDirectory, type WorkingDirectory } from '../../working-directory/working-directory.js'

export interface LintOptions extends OutsideFlags {
  ref?: string
  source: string
  variables: ReadonlyMap<string, string>
  inputs: ReadonlyMap<string, string>
  merged?: boolean
  json?: boolean
}

const STANDARD_INPUT = '-'

/**
 * Reports the problems of a CI file, or its jobs. The exit status is 1 if the file is invalid. Throws
 * `NoConfigFileError`.
 */
export async function lint(file: string, options: LintOptions): Promise<void> {
  const directory = await openWorkingDirectory(process.cwd())
  const outside = openOutside(directory, options)
  try {
    await lintIn(directory, outside, file, options)
  } finally {
    await outside.files.close()
  }
}

async function lintIn(
  directory: WorkingDirectory,
  outside: Outside,
  file: string,
  options: LintOptions,
): Promise<void> {
  const sources = new LocalSources(directory, outside.files)
  const { path: configPath, text } =
    file === STANDARD_INPUT
      ? { path: 'standard input', text: await textOfStream(process.stdin) }
      : await readConfigFile(directory, sources, file)
  const event = { ...options, ...(await settingsFromServer(directory, outside, options)), configPath }
  const context = await localEvent(directory, event)
  const inspection = await inspect(text, sources, context)
  sources.texts.set(configPath, text)
  const report: Report = { ...inspection, file: configPath, event: `${options.source} to ${context.ref}` }
  if (options.json) console.log(JSON.stringify(findings(report, options.merged ?? false), undefined, 2))
  else printReport(report, sources, options.merged ?? false)
  if (report.result.kind === 'invalid') process.exitCode = EXIT_CODES.failed.code
}

interface Report extends Inspection<CompileResult> {
  file: string
  /** In words, for example `push to main`. */
  event: string
}

/** With `--merged`, standard output contains only the configuration. */
function printReport(report: Report, { texts }: LocalSources, merged: boolean): void {
  const say = merged ? console.error : console.log
  const colour = merged ? process.stderr.isTTY : process.stdout.isTTY
  const textOfFile = (file: string) => texts.get(file.replace(/^\/+/, ''))
  const { result, file } = report
  if (result.kind === 'invalid') {
    for (const problem of result.problems) {
      for (const line of showProblem(problem, file, { colour, readText: textOfFile })) say(line)
    }
    for (const hint of result.hints) say(showWarning(hint.message, formatLocation(hint, file), { colour }))
  } else {
    for (const warning of warningsOf(result)) say(showWarning(warning, file, { colour }))
  }
  say(summary(report))
  if (merged && report.merged) process.stdout.write(printYaml(report.merged))
}

function summary({ file, event, result }: Report): string {
  switch (result.kind) {
    case 'invalid':
      return `${file} is not valid: ${count(result.problems.length, 'error')}`
    case 'filtered':
    case 'empty':
      return `${file} is valid; a ${event} gives no pipeline: ${result.message}`
    case 'plan':
      return [
        `${file} is valid; a ${event} gives ${count(result.plan.jobs.length, 'job')}:`,
        ...jobLines(result),
      ].join('\n')
  }
}

function jobLines({ plan }: CompileResult & { kind: 'plan' }): string[] {
  return plan.stages.flatMap((stage) => {
    const names = plan.jobs.filter((job) => job.stage === stage).map(({ name }) => name)
    return names.length === 0 ? [] : [`  ${stage}: ${names.join(', ')}`]
  })
}

function warningsOf(result: CompileResult): string[] {
  if (result.kind === 'plan') return result.plan.warnings
  return result.kind === 'invalid' ? result.warnings : []
}

function findings(report: Report, merged: boolean): object {
  const { result } = report
  const problems = result.kind === 'invalid' ? result.problems : []
  return {
    valid: result.kind !== 'invalid',
    errors: problems.map(({ message, path, location }) => ({ message, path, ...location })),
    warnings: warningsOf(result),
    ...((result.kind === 'filtered' || result.kind === 'empty') && { no_pipeline: result.message }),
    jobs: (result.kind === 'plan' ? result.plan.jobs : []).map(({ name, stage, when }) => ({
      name,
      stage,
      when,
    })),
    includes: report.included.map(({ form, file }) => ({ type: form, location: file })),
    ...(merged && report.merged && { merged_yaml: printYaml(report.merged) }),
  }
}

function count(number: number, label: string): string {
  return `${number} ${label}${number === 1 ? '' : 's'}`
}
