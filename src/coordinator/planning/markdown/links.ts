import type { ShownText, TextLink } from '../../../lib/markdown/render-markdown.js'
import { may } from '../../access/access.js'
import type { Project, User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { type MilestoneRow, milestonesForProject } from '../../hosting/milestone-store.js'
import type { Repositories } from '../../hosting/repositories/repositories.js'
import { accessIn } from '../../http/handle-operation.js'
import type { OperationDeps } from '../../http/handle-operation.js'
import { presentMilestones } from '../../http/presenters/present-milestone.js'
import type { IssueTracker } from '../../integrations/services/issue-trackers.js'
import { type CallerInProject, managesIssues } from '../access/issue-access.js'
import { findPlainReferences } from '../references/find-references.js'
import { projectPathOf } from '../references/project-path.js'
import { ReferenceBudget } from '../references/reference-budget.js'
import type { Reference, ReferenceKind } from '../references/reference.js'
import { labelsForProject } from '../stores/label-store.js'
import { groupsNamed, issuesNumbered, mergeRequestTitles, milestonesNumbered, usersNamed } from './store.js'

export interface LinkDeps extends Pick<OperationDeps, 'findProject' | 'projectAccessOf'> {
  database: Database
  /** Public address without a trailing slash. */
  externalUrl: string
  repositories: Pick<Repositories, 'resolveCommit' | 'readCommit'>
  /** The issue tracker of a project outside this instance; undefined without one. */
  trackerOf: (projectId: number) => Promise<IssueTracker | undefined>
}

/** Limits on the work for one text; references above them stay text. That of references is one for each kind. */
const MAX_REFERENCES = 1000
const MAX_PROJECTS = 50
const MAX_COMMITS = 50

interface Reader {
  user: User | undefined
  /** Project to which short references belong. */
  context: Project | undefined
}

/** How much is still looked up for the texts that are rendered together. */
export interface LinkBudget {
  references: ReferenceBudget<Linked>
  commits: number
  /** Paths of the projects that were looked up. */
  projects: Set<string>
}

export function newLinkBudget(): LinkBudget {
  return {
    references: new ReferenceBudget(LINKED, MAX_REFERENCES),
    commits: MAX_COMMITS,
    projects: new Set(),
  }
}

/** The links in texts to what their references name, as far as it exists and the user may see it. */
export async function linksIn(
  deps: LinkDeps,
  reader: Reader,
  texts: readonly ShownText[],
  budget: LinkBudget,
): Promise<TextLink[][]> {
  const found = texts.map((shown) => referencesOf(deps, shown, budget.references))
  const targets = await targetsOf(deps, reader, found.flat(), budget)
  const external = await externalLinksIn(deps, reader, texts, MAX_REFERENCES)
  return found.map((references, index) => {
    const links = references.flatMap((reference): TextLink[] => {
      const target = targets.get(keyOf(reference))
      if (!target) return []
      const { start, end } = reference
      return [linkTo(reader, reference, target, texts[index]?.text.slice(start, end) ?? '')]
    })
    const others = (external[index] ?? []).filter((one) => !links.some((link) => overlap(one, link)))
    return [...links, ...others].toSorted((one, other) => one.start - other.start)
  })
}

function overlap(one: TextLink, other: TextLink): boolean {
  return one.start < other.end && other.start < one.end
}

/** Links to issues of the tracker outside this instance, at most `most` of them. */
async function externalLinksIn(
  deps: LinkDeps,
  { context }: Reader,
  texts: readonly ShownText[],
  most: number,
): Promise<TextLink[][]> {
  const tracker = context && (await deps.trackerOf(context.id))
  if (!context || !tracker) return []
  let left = most
  return texts.map(({ text, isUrl }) => {
    if (isUrl) return []
    const hasOwn = context.issues_access_level !== 'disabled'
    const issues = tracker.issuesIn(text, { hasOwn }).slice(0, left)
    left -= issues.length
    return issues.map(({ start, end, url }): TextLink => {
      const original = text.slice(start, end)
      return {
        start,
        end,
        href: url,
        text: original,
        attributes: {
          title: `Issue in ${tracker.title}`,
          class: 'gfm gfm-issue',
          'data-original': original,
          'data-reference-type': 'external_issue',
          'data-project': String(context.id),
        },
      }
    })
  })
}

/** Snippets are not linked. */
type Linked = Exclude<ReferenceKind, 'snippet'>

const LINKED: readonly Linked[] = ['issue', 'merge_request', 'label', 'milestone', 'commit', 'user']

function referencesOf(
  { externalUrl }: LinkDeps,
  { text, isUrl }: ShownText,
  wanted: ReferenceBudget<Linked>,
): Reference[] {
  const references = findPlainReferences(text, { externalUrl, wanted })
  if (!isUrl) return references
  return references.filter(({ start, end }) => start === 0 && end === text.length)
}

interface Target {
  href: string
  title: string
  /** Name of the class after `gfm-`. */
  kind: string
  /** The shown text, if it is not what the reference says. */
  shown?: string
  project?: Project
}

/** At the end of a reference to a commit. */
const WHOLE_SHA = /\b[0-9a-f]{40}(?:[0-9a-f]{24})?$/i

function linkTo({ context }: Reader, reference: Reference, target: Target, original: string): TextLink {
  const { start, end } = reference
  const { href, title, kind, project } = target
  const short = reference.isUrl
    ? shortForm(reference, project, context)
    : original.replace(WHOLE_SHA, (sha) => (kind === 'commit' ? sha.slice(0, 8) : sha))
  return {
    start,
    end,
    href,
    text: target.shown ?? short,
    attributes: {
      title,
      class: `gfm gfm-${kind}`,
      'data-original': original,
      'data-reference-type': kind,
      ...(project && { 'data-project': String(project.id) }),
    },
  }
}

/** How a URL is shown: as the shortest reference from the project of the text. */
function shortForm(reference: Reference, project: Project | undefined, context: Project | undefined): string {
  const path = !project || project.id === context?.id ? '' : project.full_path
  if (reference.kind === 'commit') return `${path === '' ? '' : `${path}@`}${reference.sha.slice(0, 8)}`
  if ('iid' in reference) return `${path}${reference.kind === 'issue' ? '#' : '!'}${reference.iid}`
  return path
}

/** A key that is equal for references to one thing. */
function keyOf(reference: Reference): string {
  if (reference.kind === 'user') return `user ${reference.name.toLowerCase()}`
  const { kind, project = '' } = reference
  const what =
    'iid' in reference
      ? reference.iid
      : 'sha' in reference
        ? reference.sha
        : 'id' in reference
          ? reference.id
          : reference.name
  return `${kind} ${project} ${what}`
}

type InProject = Exclude<Reference, { kind: 'user' }>

async function targetsOf(
  deps: LinkDeps,
  reader: Reader,
  references: readonly Reference[],
  budget: LinkBudget,
): Promise<Map<string, Target>> {
  const byKey = new Map(references.map((reference) => [keyOf(reference), reference]))
  const targets = await peopleAmong(deps, reader, [...byKey.values()])
  const byProject = new Map<string, InProject[]>()
  for (const reference of byKey.values()) {
    const path = reference.kind === 'user' ? undefined : projectPathOf(reference, reader.context?.full_path)
    if (path === undefined || reference.kind === 'user') continue
    byProject.set(path, [...(byProject.get(path) ?? []), reference])
  }
  for (const [path, inProject] of byProject) {
    if (!budget.projects.has(path) && budget.projects.size >= MAX_PROJECTS) continue
    budget.projects.add(path)
    const caller = await readerInProject(deps, reader.user, path)
    if (!caller) continue
    for (const [key, target] of await targetsIn(deps, caller, inProject, budget)) targets.set(key, target)
  }
  return targets
}

/** The relation of the user to a project; undefined if it is hidden from the user. */
export async function readerInProject(
  deps: Pick<LinkDeps, 'findProject' | 'projectAccessOf'>,
  user: User | undefined,
  path: string,
): Promise<CallerInProject | undefined> {
  const project = await deps.findProject(path)
  if (!project) return undefined
  const levels = await accessIn(deps, user, project)
  return levels.accessLevel === 0 ? undefined : { project, user, ...levels }
}

async function peopleAmong(
  { database, externalUrl }: LinkDeps,
  { user }: Reader,
  references: readonly Reference[],
): Promise<Map<string, Target>> {
  const names = references.flatMap((reference) =>
    reference.kind === 'user' ? [reference.name.toLowerCase()] : [],
  )
  if (names.length === 0) return new Map()
  const targets = new Map<string, Target>()
  const kind = 'project_member'
  for (const [path, { full_path, name }] of await groupsNamed(database, user, names)) {
    targets.set(`user ${path}`, { href: `${externalUrl}/groups/${full_path}`, title: name, kind })
  }
  for (const [username, person] of await usersNamed(database, names)) {
    targets.set(`user ${username}`, { href: `${externalUrl}/${person.username}`, title: person.name, kind })
  }
  return targets
}

type Found = [key: string, target: Target][]

async function targetsIn(
  deps: LinkDeps,
  caller: CallerInProject,
  references: readonly InProject[],
  budget: LinkBudget,
): Promise<Found> {
  const found = [
    await issuesAmong(deps, caller, references),
    await mergeRequestsAmong(deps, caller, references),
    await labelsAmong(deps, caller, references),
    await milestonesAmong(deps, caller, references),
    await commitsAmong(deps, caller, references, budget),
  ].flat()
  return found.map(([key, target]) => [key, { ...target, project: caller.project }])
}

function urlOf({ externalUrl }: LinkDeps, { project }: CallerInProject): string {
  return `${externalUrl}/${project.full_path}/-`
}

type OfKind<K extends Reference['kind']> = Reference & { kind: K }

function ofKind<K extends Reference['kind']>(references: readonly Reference[], kind: K): OfKind<K>[] {
  return references.filter((reference): reference is OfKind<K> => reference.kind === kind)
}

async function issuesAmong(
  deps: LinkDeps,
  caller: CallerInProject,
  references: readonly InProject[],
): Promise<Found> {
  const wanted = ofKind(references, 'issue')
  if (wanted.length === 0 || !may('read_issues', caller)) return []
  const seen = { projectId: caller.project.id, user: caller.user, seesAll: managesIssues(caller) }
  const rows = await issuesNumbered(
    deps.database,
    seen,
    wanted.map(({ iid }) => iid),
  )
  const titles = new Map(rows.map(({ iid, title }) => [iid, title]))
  return wanted.flatMap((reference): Found => {
    const title = titles.get(reference.iid)
    if (title === undefined) return []
    return [
      [keyOf(reference), { href: `${urlOf(deps, caller)}/issues/${reference.iid}`, title, kind: 'issue' }],
    ]
  })
}

async function mergeRequestsAmong(
  deps: LinkDeps,
  caller: CallerInProject,
  references: readonly InProject[],
): Promise<Found> {
  const wanted = ofKind(references, 'merge_request')
  if (wanted.length === 0 || !may('read_merge_requests', caller)) return []
  const iids = wanted.map(({ iid }) => iid)
  const titles = await mergeRequestTitles(deps.database, caller.project.id, iids)
  return wanted.flatMap((reference): Found => {
    const title = titles.get(reference.iid)
    if (title === undefined) return []
    const href = `${urlOf(deps, caller)}/merge_requests/${reference.iid}`
    return [[keyOf(reference), { href, title, kind: 'merge_request' }]]
  })
}

async function labelsAmong(
  deps: LinkDeps,
  caller: CallerInProject,
  references: readonly InProject[],
): Promise<Found> {
  const wanted = ofKind(references, 'label')
  if (wanted.length === 0 || !may('read_labels', caller)) return []
  const keys = wanted.map(({ name }) => name)
  const labels = await labelsForProject(deps.database, caller.project.id, keys)
  return wanted.flatMap((reference): Found => {
    const label = labels.get(reference.name)
    if (!label) return []
    const href = `${urlOf(deps, caller)}/issues?label_name=${encodeURIComponent(label.name)}`
    const title = label.description ?? ''
    return [[keyOf(reference), { href, title, kind: 'label', shown: label.name }]]
  })
}

async function milestonesAmong(
  deps: LinkDeps,
  caller: CallerInProject,
  references: readonly InProject[],
): Promise<Found> {
  const { database, externalUrl } = deps
  const wanted = ofKind(references, 'milestone')
  if (wanted.length === 0 || !may('read_milestones', caller)) return []
  const { id } = caller.project
  const names = wanted.map(({ name }) => name)
  const iids = names.filter(isNumber).map(Number)
  const numbered = iids.length === 0 ? [] : await milestonesNumbered(database, id, iids)
  const rows = new Map<string, MilestoneRow>([
    ...numbered.map((row): [string, MilestoneRow] => [String(row.iid), row]),
    ...(await milestonesForProject(database, id, { titles: names })).map((row): [string, MilestoneRow] => [
      row.title,
      row,
    ]),
  ])
  const records = await presentMilestones(database, externalUrl, [...rows.values()])
  const urls = new Map(records.map((record) => [record.id, record.web_url]))
  return wanted.flatMap((reference): Found => {
    const row = rows.get(reference.name)
    const href = row && urls.get(row.id)
    if (!row || href === undefined) return []
    return [[keyOf(reference), { href, title: row.title, kind: 'milestone', shown: `%${row.title}` }]]
  })
}

function isNumber(name: string): boolean {
  return /^\d{1,9}$/.test(name)
}

async function commitsAmong(
  deps: LinkDeps,
  caller: CallerInProject,
  references: readonly InProject[],
  budget: LinkBudget,
): Promise<Found> {
  const { repositories } = deps
  const wanted = ofKind(references, 'commit').slice(0, budget.commits)
  if (wanted.length === 0 || !may('read_code', caller)) return []
  budget.commits -= wanted.length
  const { id } = caller.project
  const found: Found = []
  for (const reference of wanted) {
    const sha = await repositories.resolveCommit(id, reference.sha)
    // A branch or tag may have the name of an abbreviated ID.
    if (!sha?.startsWith(reference.sha)) continue
    const { title } = await repositories.readCommit(id, sha)
    found.push([keyOf(reference), { href: `${urlOf(deps, caller)}/commit/${sha}`, title, kind: 'commit' }])
  }
  return found
}
