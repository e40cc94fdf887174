import type { Gitbeaker } from '../support/service.js'
import { absent, type Calls, HIDDEN, type Place, type ResourceRow } from './row.js'

/** Issues (API, F2), labels (API, G3) and milestones (API, G4). */
export function planningRows({ project, group }: Place): ResourceRow[] {
  return [
    {
      resource: 'issues of a project',
      of: 'project',
      manager: 'issues',
      key: 'iid',
      hidden: HIDDEN.project,
      absent: absent(),
      bodies: ['Broken', 'Slow', 'Ugly'].map((title) => ({ title, due_date: '2999-01-01' })),
      change: { title: 'Mended', due_date: '2999-02-01' },
      wrong: {
        body: { title: '', due_date: '2999-01-01' },
        status: 400,
        message: { title: ["can't be blank"] },
      },
      gitbeaker: ({ Issues }) => ({
        create: ({ title, due_date }) => Issues.create(project, String(title), { dueDate: String(due_date) }),
        all: (options) => Issues.all({ projectId: project, ...options }),
        show: (iid) => Issues.show(Number(iid), { projectId: project }),
        edit: (iid) => Issues.edit(project, Number(iid), { title: 'Mended', dueDate: '2999-02-01' }),
        remove: (iid) => Issues.remove(project, Number(iid)),
      }),
    },
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
