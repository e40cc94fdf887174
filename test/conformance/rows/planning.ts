import type { Gitbeaker } from '../support/service.js'
import { absent, type Calls, HIDDEN, type Place, type ResourceRow } from './row.js'

/** Issues (API, F2), notes (API, G1), emoji (API, G5), labels (API, G3) and milestones (API, G4). */
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
      resource: 'notes of an issue',
      of: 'issue',
      manager: 'notes',
      key: 'id',
      hidden: HIDDEN.project,
      absent: absent(),
      bodies: ['one', 'two', 'three'].map((body) => ({ body })),
      change: { body: 'changed' },
      wrong: {
        body: { body: '' },
        status: 400,
        message: '400 Bad request - Note {:note=>["can\'t be blank"]}',
      },
      gitbeaker: ({ IssueNotes }) => ({
        create: ({ body }) => IssueNotes.create(project, 1, String(body)),
        all: (options) => IssueNotes.all(project, 1, options),
        show: (id) => IssueNotes.show(project, 1, Number(id)),
        edit: (id) => IssueNotes.edit(project, 1, Number(id), { body: 'changed' }),
        remove: (id) => IssueNotes.remove(project, 1, Number(id)),
      }),
    },
    {
      resource: 'emoji of an issue',
      of: 'issue',
      manager: 'awardemojis',
      key: 'id',
      hidden: HIDDEN.project,
      absent: absent(),
      bodies: ['thumbsup', 'tada', 'heart'].map((name) => ({ name })),
      wrong: {
        body: { name: 'tada' },
        status: 404,
        message: '404 Award Emoji Name has already been taken Not Found',
      },
      gitbeaker: ({ IssueAwardEmojis }) => ({
        create: ({ name }) => IssueAwardEmojis.award(project, 1, String(name)),
        all: (options) => IssueAwardEmojis.all(project, 1, options),
        show: (id) => IssueAwardEmojis.show(project, 1, Number(id)),
        remove: (id) => IssueAwardEmojis.remove(project, 1, Number(id)),
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
