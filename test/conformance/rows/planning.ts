import type { Gitbeaker } from '../support/service.js'
import { absent, type Calls, HIDDEN, type Place, type ResourceRow } from './row.js'

/** Labels (API, G3) and milestones (API, G4). */
export function planningRows({ project, group }: Place): ResourceRow[] {
  return [
    {
      ...LABELS,
      resource: 'labels of a project',
      of: 'project',
      hidden: HIDDEN.project,
      gitbeaker: ({ ProjectLabels }) => labelCalls(ProjectLabels, project),
    },
    {
      ...LABELS,
      resource: 'labels of a group',
      of: 'group',
      hidden: HIDDEN.group,
      gitbeaker: ({ GroupLabels }) => labelCalls(GroupLabels, group),
    },
    {
      ...MILESTONES,
      resource: 'milestones of a project',
      of: 'project',
      hidden: HIDDEN.project,
      gitbeaker: ({ ProjectMilestones }) => milestoneCalls(ProjectMilestones, project),
    },
    {
      ...MILESTONES,
      resource: 'milestones of a group',
      of: 'group',
      hidden: HIDDEN.group,
      gitbeaker: ({ GroupMilestones }) => milestoneCalls(GroupMilestones, group),
    },
  ]
}

const LABELS = {
  manager: 'labels',
  key: 'id',
  absent: absent('Label'),
  bodies: ['bug', 'feature', 'question'].map((name) => ({ name, color: '#123456' })),
  wrong: {
    body: { name: 'bug', color: '#123456' },
    status: 409,
    message: 'Label already exists',
  },
}

function labelCalls(labels: Gitbeaker['ProjectLabels'] | Gitbeaker['GroupLabels'], owner: number): Calls {
  return {
    create: ({ name, color }) => labels.create(owner, String(name), String(color)),
    all: (options) => labels.all(owner, options),
    show: (id) => labels.show(owner, id),
    remove: (id) => labels.remove(owner, id),
  }
}

const MILESTONES = {
  manager: 'milestones',
  key: 'id',
  absent: absent(),
  bodies: ['v1', 'v2', 'v3'].map((title) => ({ title, due_date: '2999-01-01' })),
  change: { title: 'changed', due_date: '2999-02-01' },
  wrong: {
    body: { title: 'v1', due_date: '2999-01-01' },
    status: 400,
    message:
      'Failed to create milestone {:title=>["already being used for another group or project milestone."]}',
  },
}

function milestoneCalls(
  milestones: Gitbeaker['ProjectMilestones'] | Gitbeaker['GroupMilestones'],
  owner: number,
): Calls {
  return {
    create: ({ title, due_date }) => milestones.create(owner, String(title), { dueDate: String(due_date) }),
    all: (options) => milestones.all(owner, options),
    show: (id) => milestones.show(owner, Number(id)),
    edit: (id) => milestones.edit(owner, Number(id), { title: 'changed', dueDate: '2999-02-01' }),
    remove: (id) => milestones.remove(owner, Number(id)),
  }
}
