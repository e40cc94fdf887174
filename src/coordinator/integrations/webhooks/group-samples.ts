import type { Group, Project, User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { groupsIn } from '../../database/stores/namespace-store.js'
import type { AnyTrigger, HookTrigger } from '../../database/tables/webhooks.js'
import { subgroupPayload } from './outbox/emit-group-events.js'
import { describeGroupMembers } from './outbox/emit-member-events.js'
import type { MilestoneFacts } from './outbox/emit-milestone-event.js'
import { projectPayload } from './outbox/emit-system-events.js'
import { type Sample, type SampleDeps, sampleOf } from './samples.js'

/** A sample, and the project with whose data its payload is rendered; null = it needs none. */
export interface GroupSample {
  sample: Sample
  projectId: number | null
}

/** Number of projects in which data for a sample is searched. */
const MAX_PROJECTS = 20

/** A sample event made from the data of the group, or of the project in it with the latest activity that has such data. */
export async function groupSampleOf(
  deps: SampleDeps,
  group: Group,
  user: User,
  trigger: AnyTrigger,
): Promise<GroupSample> {
  switch (trigger) {
    case 'member_events':
      return ofGroup(await memberFacts(deps.database, group), 'members')
    case 'subgroup_events':
      return ofGroup(await subgroupFacts(deps.database, group), 'subgroups')
    case 'project_events': {
      const [project] = await latestProjects(deps.database, group)
      const facts = project && (await projectPayload(deps.database, 'project_create', project))
      return ofGroup(facts, 'projects')
    }
    case 'milestone_events': {
      const facts = await milestoneFacts(deps.database, group)
      if (facts) return { sample: { kind: 'milestone', facts }, projectId: null }
      return ofProjects(deps, group, user, trigger)
    }
    default:
      return ofProjects(deps, group, user, trigger)
  }
}

/** A sample of the project in the group with the latest activity that has such data. */
async function ofProjects(
  deps: SampleDeps,
  group: Group,
  user: User,
  trigger: HookTrigger,
): Promise<GroupSample> {
  let found: GroupSample = { sample: missing('projects'), projectId: null }
  for (const project of await latestProjects(deps.database, group)) {
    const sample = await sampleOf(deps, project, user, trigger)
    found = { sample, projectId: project.id }
    if (typeof sample !== 'string') return found
  }
  return found
}

/** The latest milestone of the group itself, as if it had just been created. */
async function milestoneFacts(database: Database, { id }: Group): Promise<MilestoneFacts | undefined> {
  const milestone = await database
    .selectFrom('milestone')
    .selectAll()
    .where('group_id', '=', id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return milestone && { milestone, action: 'create' }
}

function ofGroup(facts: object | undefined, things: string): GroupSample {
  return { sample: facts ? { kind: 'plain', facts } : missing(things), projectId: null }
}

function missing(things: string): string {
  return `Ensure the group has ${things}.`
}

function latestProjects(database: Database, { id }: Group): Promise<Project[]> {
  return database
    .selectFrom('project')
    .selectAll()
    .where('namespace_id', 'in', groupsIn(id))
    .orderBy('last_activity_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_PROJECTS)
    .execute()
}

/** The latest member of the group, as if just added. */
async function memberFacts(database: Database, { id }: Group): Promise<object | undefined> {
  const member = await database
    .selectFrom('member')
    .selectAll()
    .where('group_id', '=', id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!member) return undefined
  const [event] = await describeGroupMembers(database, 'added', [member])
  return event?.facts
}

/** The latest subgroup, as if just created. */
async function subgroupFacts(database: Database, group: Group): Promise<object | undefined> {
  const subgroup = await database
    .selectFrom('namespace')
    .selectAll()
    .where('parent_id', '=', group.id)
    .where('kind', '=', 'group')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return subgroup && subgroupPayload('subgroup_create', subgroup, group)
}
