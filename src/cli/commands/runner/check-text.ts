import type { EngineReport } from '../../../runner/executor/docker/capabilities/check-engine.js'
import type { ClusterReport } from '../../../runner/executor/kubernetes/check-cluster.js'
import { formatTable } from './table.js'

/** The report about one registration, or about one of its hosts. */
export interface RegistrationReport {
  name: string
  shortToken: string
  /** Name of the host. Undefined if the registration has one engine. */
  host?: string
  /** Undefined if the engines exist only while there are jobs. */
  report: EngineReport | ClusterReport | undefined
}

/**
 * The report for people: a line about the engine or the cluster, a table of what it can do, and lines about settings or
 * rights.
 */
export function checkText({ name, shortToken, host, report }: RegistrationReport): string {
  const head = `Runner "${name}" (${shortToken})${host === undefined ? '' : `, host ${host}`}`
  if (!report) return `${head}: its machines are created for jobs, so no engine was asked\n`
  if (report.problem !== undefined) return `${head}\nerror: ${report.problem}\n`
  if ('rights' in report) return `${head}: ${clusterText(report)}`
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

function clusterText({ cluster, rights }: Extract<ClusterReport, { rights: object }>): string {
  const rows = rights.map(({ verb, resource, isHeld, purpose }) => [
    `${verb} ${resource}`,
    isHeld ? 'yes' : 'no',
    purpose,
  ])
  const lines = rights
    .filter(({ isHeld }) => !isHeld)
    .map(({ verb, resource, namespace, isRequired }) => {
      const level = isRequired ? 'error' : 'warning'
      return `${level}: the runner may not ${verb} ${resource} in the namespace "${namespace}"\n`
    })
  const head = `Kubernetes ${cluster.version}, namespace "${cluster.namespace}"`
  return `${head}\n${formatTable(['', 'holds', ''], rows)}${lines.join('')}`
}
