import type { EngineReport } from '../../../runner/executor/docker/capabilities/check-engine.js'
import type { ClusterReport } from '../../../runner/executor/kubernetes/check-cluster.js'
import { clusterText } from './cluster-text.js'
import { formatTable } from './table.js'

/** The report about one registration, or about one of its hosts. */
export interface RegistrationReport {
  name: string
  shortToken: string
  /** Name of the host. Undefined if the registration has one engine. */
  host?: string
  /** Undefined if the engines exist only while there are jobs, and for a cluster. */
  report: EngineReport | undefined
  /** Of the executor `kubernetes`. */
  cluster?: ClusterReport
}

/** The report for people. Of an engine: a line about it, a table of what it can do, and lines about settings. */
export function checkText({ name, shortToken, host, report, cluster }: RegistrationReport): string {
  const head = `Runner "${name}" (${shortToken})${host === undefined ? '' : `, host ${host}`}`
  if (cluster) return clusterText(head, cluster)
  if (!report) return `${head}: its machines are created for jobs, so no engine was asked\n`
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
