import type { EngineReport } from '../../../runner/executor/docker/capabilities/check-engine.js'
import { formatTable } from './table.js'

/** The report about one registration. */
export interface RegistrationReport {
  name: string
  shortToken: string
  report: EngineReport
}

/** The report for people: a line about the engine, a table of what it can do, and lines about settings. */
export function checkText({ name, shortToken, report }: RegistrationReport): string {
  const head = `Runner "${name}" (${shortToken})`
  if (report.problem !== undefined) return `${head}\nerror: ${report.problem}\n`
  const { engine, abilities, settings } = report
  const facts = [
    `${engine.product} ${engine.version}, API ${engine.apiVersion}`,
    engine.isRootless ? 'rootless' : 'with root',
    ...(engine.cgroupVersion === undefined ? [] : [`control groups of version ${engine.cgroupVersion}`]),
  ]
  const rows = abilities.map((ability) => [ability.name, ability.holds, ability.text])
  const lines = settings.map(({ level, setting, text }) => `${level}: ${setting}: ${text}\n`)
  return `${head}: ${facts.join(', ')}\n${formatTable(['', 'holds', ''], rows)}${lines.join('')}`
}
