import type { CheckedRight, ClusterReport } from '../../../runner/executor/kubernetes/check-cluster.js'
import { formatTable } from './table.js'

/** The report on a cluster for people: a line about it, a table of the rights, and a line for each that is missing. */
export function clusterText(head: string, report: ClusterReport): string {
  if (report.problem !== undefined) return `${head}\nerror: ${report.problem}\n`
  const { version, namespace, rights, jobsChooseNamespace } = report
  const rows = rights.map(({ verb, resource, holds, purpose }) => [
    `${verb} ${resource}`,
    holds ? 'yes' : 'no',
    `to ${purpose}`,
  ])
  const missing = rights.filter(({ holds }) => !holds).map((right) => missingText(right, namespace))
  const others = jobsChooseNamespace
    ? 'note: jobs may choose their namespace: there, the runner needs the same rights, which were not asked for\n'
    : ''
  return `${head}: Kubernetes ${version}, namespace ${namespace}\n${formatTable(['', 'holds', ''], rows)}${missing.join('')}${others}`
}

function missingText({ verb, resource, purpose, onlyFor }: CheckedRight, namespace: string): string {
  const effect = onlyFor === undefined ? 'no job can run' : `needed for ${onlyFor}`
  const level = onlyFor === undefined ? 'error' : 'warning'
  return `${level}: the credentials lack the right to ${verb} ${resource} in the namespace ${namespace}, to ${purpose}: ${effect}. Grant it by a role, as in config/kubernetes/.\n`
}
