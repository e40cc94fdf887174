import { type JobEntry, writtenName } from '../entries/job.js'
import type { ForeignNeedEntry, NeedEntry } from '../entries/needs.js'
import type { ParallelMatrix } from '../entries/parallel.js'
import { ConfigError, invalid, type Problem } from '../errors.js'
import { limits } from '../limits.js'
import { ExpansionBudget } from '../variables/expansion-budget.js'
import { hasMatrixExpression, replaceMatrixExpressions } from './matrix-expressions.js'
import { type MatrixInstance, matrixInstances, matrixName } from './matrix-instances.js'

export interface ExpandedJobs {
  jobs: JobEntry[]
  warnings: Problem[]
}

/**
 * Replaces each `parallel` job by its instances, and its name by their names wherever it is needed (CI
 * language, 3.12 and 3.8). Throws `ConfigError` for values that a matrix does not have, and above the limits.
 */
export function expandParallel(jobs: readonly JobEntry[]): ExpandedJobs {
  const expansion = new Expansion(jobs)
  const expanded = jobs.flatMap((job) => expansion.expand(job))
  if (expansion.problems.length > 0) throw new ConfigError(expansion.problems)
  return withoutDoubles(expanded)
}

/** One job of a `parallel` job. */
interface Instance {
  name: string
  matrix: MatrixInstance
}

/** The references of a job to other jobs; an absent keyword is left unchanged. */
type Prerequisites = Pick<JobEntry, 'needs' | 'rules'>

class Expansion {
  readonly problems: Problem[] = []
  private readonly instances: ReadonlyMap<string, Instance[]>
  private readonly budget = new ExpansionBudget()
  private needs = 0

  constructor(jobs: readonly JobEntry[]) {
    refuseTooMany(jobs)
    this.instances = new Map(
      jobs.flatMap((job) => (job.parallel ? [[job.name, this.instancesOf(job, job.parallel)] as const] : [])),
    )
  }

  expand(job: JobEntry): JobEntry[] {
    const { parallel, ...rest } = job
    const dependencies = job.dependencies && this.namesOf(job.dependencies)
    const foreignNeeds = job.foreignNeeds && this.foreignNeedsOf(job.foreignNeeds)
    const written = { ...rest, ...(dependencies && { dependencies }), ...(foreignNeeds && { foreignNeeds }) }
    const prerequisitesOf = this.prerequisitesOf(job)
    if (!parallel) return [{ ...written, ...prerequisitesOf([]) }]
    const instances = this.instances.get(job.name) ?? []
    return instances.map(({ name, matrix }, position) => {
      this.count(dependencies?.length ?? 0)
      return {
        ...written,
        ...prerequisitesOf(matrix),
        name,
        ...(matrix.length > 0 && { variables: [...(job.variables ?? []), ...matrix.map(variableOf)] }),
        instance: { of: job.name, index: position + 1, total: instances.length },
      }
    })
  }

  /** The needs of one instance; all instances share them unless a need references a matrix value. */
  private prerequisitesOf(job: JobEntry): (matrix: MatrixInstance) => Prerequisites {
    const all = [...(job.needs ?? []), ...(job.rules ?? []).flatMap(({ needs = [] }) => needs)]
    if (!all.some(hasMatrixExpression)) {
      const shared = this.expandEach(job, (needs) => this.needsOf(needs))
      // The checks process them once per instance, so all but the first count too.
      if (job.parallel) this.count(countNeeds(shared) * (job.parallel.count - 1))
      return () => shared
    }
    return (matrix) => this.expandEach(job, (needs) => this.needsOf(this.ownNeeds(job, needs, matrix)))
  }

  private expandEach({ needs, rules }: JobEntry, expand: (needs: NeedEntry[]) => NeedEntry[]): Prerequisites {
    const hasNeeds = rules?.some((rule) => rule.needs) ?? false
    return {
      ...(needs && { needs: expand(needs) }),
      ...(hasNeeds && {
        rules: rules?.map((rule) => (rule.needs ? { ...rule, needs: expand(rule.needs) } : rule)),
      }),
    }
  }

  private instancesOf({ name }: JobEntry, parallel: NonNullable<JobEntry['parallel']>): Instance[] {
    if (parallel.kind === 'count') {
      return Array.from({ length: parallel.count }, (_, index) => ({
        name: this.spent(`${name} ${index + 1}/${parallel.count}`),
        matrix: [],
      }))
    }
    return [...matrixInstances(parallel)].map((matrix) => ({
      name: this.spent(matrixName(name, matrix)),
      matrix,
    }))
  }

  /** Needs with the values of one instance in them. */
  private ownNeeds(job: JobEntry, written: NeedEntry[], matrix: MatrixInstance): NeedEntry[] {
    const unknown = new Set<string>()
    const needs = written.map((need) =>
      replaceMatrixExpressions(need, matrix, this.budget, (name) => unknown.add(name)),
    )
    if (unknown.size > 0) this.refuseUnknown(job.name, [...unknown])
    return needs
  }

  private refuseUnknown(job: string, names: string[]): void {
    const missing = names.map((name) => `'${name}' does not exist in matrix configuration`).join(', ')
    const message = `${job} job: ${missing}`
    if (this.problems.some((problem) => problem.message === message)) return
    if (this.problems.length < limits.problems) this.problems.push({ message, path: [job, 'needs'] })
  }

  private needsOf(needs: NeedEntry[]): NeedEntry[] {
    return needs.flatMap(({ matrix, ...need }) => {
      const names = matrix ? this.chosenNames(need.name, matrix) : this.namesOf([need.name])
      return names.map((name) => ({ ...need, name }))
    })
  }

  /** The instances of jobs elsewhere are unknown: only an explicit matrix names them. */
  private foreignNeedsOf(needs: ForeignNeedEntry[]): ForeignNeedEntry[] {
    return needs.flatMap(({ matrix, ...need }) =>
      matrix ? this.chosenNames(need.job, matrix).map((job) => ({ ...need, job })) : [need],
    )
  }

  private chosenNames(name: string, matrix: ParallelMatrix): string[] {
    this.count(matrix.count)
    return [...matrixInstances(matrix)].map((instance) => this.spent(matrixName(name, instance)))
  }

  /** The name of a parallel job refers to all its instances. */
  private namesOf(names: string[]): string[] {
    return names.flatMap((name) => {
      const instances = this.instances.get(name)
      this.count(instances?.length ?? 1)
      return instances?.map((instance) => instance.name) ?? [name]
    })
  }

  private count(names: number): void {
    this.needs += names
    if (this.needs <= limits.allNeeds) return
    throw invalid(`The pipeline is too big: its jobs need more than ${limits.allNeeds} jobs all together`)
  }

  private spent(name: string): string {
    this.budget.spend(name.length)
    return name
  }
}

function countNeeds({ needs = [], rules = [] }: Prerequisites): number {
  return rules.reduce((sum, rule) => sum + (rule.needs?.length ?? 0), needs.length)
}

function variableOf([key, value]: MatrixInstance[number]) {
  return { key, value, raw: false }
}

/** Counted before instances are built, because a short file could request too many. */
function refuseTooMany(jobs: readonly JobEntry[]): void {
  let instances = 0
  let variables = 0
  for (const { parallel, variables: own = [] } of jobs) {
    if (!parallel) continue
    instances += parallel.count
    variables += parallel.kind === 'count' ? 0 : parallel.count * (own.length + widest(parallel.rows))
  }
  if (instances > limits.allInstances) {
    throw invalid(`The pipeline is too big: parallel makes more than ${limits.allInstances} jobs`)
  }
  if (variables > limits.allMatrixVariables) {
    throw invalid(
      `The pipeline is too big: parallel jobs have more than ${limits.allMatrixVariables} variables`,
    )
  }
}

function widest(rows: readonly (readonly unknown[])[]): number {
  return rows.reduce((most, axes) => Math.max(most, axes.length), 0)
}

/**
 * Job names are unique: the last of several jobs wins, at the position of the first, as with keys of a map.
 */
function withoutDoubles(jobs: JobEntry[]): ExpandedJobs {
  const byName = new Map<string, JobEntry>()
  const warnings: Problem[] = []
  for (const job of jobs) {
    if (byName.has(job.name) && warnings.length < limits.problems) {
      const message = `jobs:${job.name} is created more than once by parallel: the last one is used`
      warnings.push({ message, path: [writtenName(job)] })
    }
    byName.set(job.name, job)
  }
  return { jobs: [...byName.values()], warnings }
}
