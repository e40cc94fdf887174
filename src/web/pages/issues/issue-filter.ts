import type { FilterTable } from '../../planned/filter-words.js'

/** The words by which issues are filtered. */
export const ISSUE_FILTER: FilterTable = {
  parameters: {
    label: 'labels[]',
    author: 'author_username',
    assignee: 'assignee_username[]',
    milestone: 'milestone',
    weight: 'weight',
    due: 'due_date',
    confidential: 'confidential',
    type: 'issue_type',
    reaction: 'my_reaction_emoji',
    state: 'state',
  },
  inAddresses: {
    label_name: 'label',
    'label_name[]': 'label',
    labels: 'label',
    author_username: 'author',
    assignee_username: 'assignee',
    'assignee_username[]': 'assignee',
    milestone_title: 'milestone',
    milestone: 'milestone',
    weight: 'weight',
    due_date: 'due',
    confidential: 'confidential',
    my_reaction_emoji: 'reaction',
  },
  values: {
    due: ['overdue', 'today', 'tomorrow', 'week', 'month', 'any', '0'],
    confidential: ['yes', 'no'],
    type: ['issue', 'incident', 'test_case', 'task'],
    state: ['opened', 'closed', 'all'],
  },
  optional: new Set(['label', 'assignee', 'milestone', 'weight', 'reaction']),
  repeated: new Set(['label', 'assignee']),
  exception: (name, value) => {
    if (name === 'confidential') return ['confidential', String(value === 'yes')]
    return name === 'assignee' && (value === 'None' || value === 'Any') ? ['assignee_id', value] : undefined
  },
}
